(* What nearly every file begins with: MathComp, its tactics and its lemmas on ordered fields. *)
From mathcomp Require Export all_ssreflect all_algebra ring zify.
Export GRing.Theory Num.Theory Order.Theory.
#[export] Set Implicit Arguments.
#[export] Unset Strict Implicit.
#[export] Unset Printing Implicit Defensive.
Global Open Scope ring_scope.
