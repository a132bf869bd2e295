(* The same for files that use the real numbers of Coq, which are a field of MathComp here. *)
From Coq Require Export Reals Lra.
From derl.common Require Export prelude.
From mathcomp.analysis Require Export Rstruct.
Delimit Scope R_scope with coqR.
