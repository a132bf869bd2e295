(* More policies cost no more deployments: what deterministic policies achieve, arbitrary policies achieve.

   arbitrary_needs_no_more   the same for the least numbers of deployments *)
From mathcomp Require Import all_ssreflect.
From derl.complexity Require Import definition.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Lemma achieved_by_more (tasks : class) (few more : kind) d H N eps delta K :
  (forall (t : task d) pi, few d t pi -> more d t pi) ->
  achievable tasks few d H N eps delta K -> achievable tasks more d H N eps delta K.
Proof. by move=> all h t tt; have [L [kept good]] := h t tt; exists L; split=> // v past; exact: all. Qed.

Theorem arbitrary_needs_no_more (tasks : class) d H N eps delta K :
  achievable tasks deterministic d H N eps delta K ->
  achievable tasks arbitrary d H N eps delta K /\
  exists K', deployment_complexity_is tasks arbitrary d H N eps delta K' /\ (K' <= K)%N.
Proof.
move=> h; have a : achievable tasks arbitrary d H N eps delta K by apply: achieved_by_more h.
by split=> //; exact: least_exists.
Qed.
