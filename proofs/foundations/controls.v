(* A near variant of the bound on the features that is false. *)
From derl.common Require Import prelude forms.

(* control for rem-feature-norm: 11/10 of the bound; d = 1, one next state, everything 1 *)
Theorem rem_feature_norm_control :
  ~ (forall (d : nat) (S : finType) (mu : S -> 'cV[rat]_d) (phi : 'cV[rat]_d),
     qf 1%:M (\sum_s mu s) <= d%:R -> \sum_s ((mu s)^T *m phi) ord0 ord0 = 1 -> (0 < d)%N ->
     11%:R / 10%:R * d%:R^-1 <= qf 1%:M phi).
Proof.
have q : qf 1%:M (1%:M : 'cV[rat]_1) = 1 by rewrite /qf /bil trmx1 !mulmx1 mxE eqxx.
have no : ~~ (11%:R / 10%:R * 1%:R^-1 <= 1 :> rat) by vm_compute.
move: (11%:R / 10%:R : rat) no => c no.
move=> /(_ 1%N unit_finType (fun _ => 1%:M) 1%:M); rewrite (bigD1 tt) //= big1 => [|[] //].
rewrite addr0 q (bigD1 tt) //= big1 => [|[] //]; rewrite addr0 trmx1 mulmx1 mxE eqxx => h.
by apply: (negP no); apply: h.
Qed.
