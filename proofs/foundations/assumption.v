(* Consequences of Assumption 1. *)
From derl.common Require Import prelude forms.

(* [rem-feature-norm], whole: mu s' are the d measures of the next state s', the norm of the
   total mass is at most sqrt d, and the probabilities <mu s', phi> add up to one; then
   |phi|^2 >= 1/d *)
Theorem rem_feature_norm (R : realFieldType) (d : nat) (S : finType)
    (mu : S -> 'cV[R]_d) (phi : 'cV[R]_d) :
  qf 1%:M (\sum_s mu s) <= d%:R -> \sum_s ((mu s)^T *m phi) ord0 ord0 = 1 -> (0 < d)%N ->
  d%:R^-1 <= qf 1%:M phi.
Proof.
move=> hmu h1 d0; have dR : 0 < d%:R :> R by rewrite ltr0n.
have e : bil 1%:M (\sum_s mu s) phi = 1.
  by rewrite bil1 raddf_sum /= mulmx_suml summxE.
have := cauchy (\sum_s mu s) phi (pd_psd (pd1 R d)); rewrite e expr1n => h.
rewrite -(ler_pmul2l dR) divff ?gt_eqF //; apply: le_trans h _.
by rewrite ler_wpmul2r // qf1_ge0.
Qed.
