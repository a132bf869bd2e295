(* The mixture of a pessimistic and an optimistic policy. *)
From derl.common Require Import prelude.

(* the value of the mixture that plays the optimist with probability alpha *)
Definition mixture_value (R : ringType) (alpha pess opt : R) : R := (1 - alpha) * pess + alpha * opt.

(* [eq-mixture-improvement]: values in [0, H] *)
Theorem eq_mixture_improvement (R : realFieldType) (alpha pess opt H : R) :
  0 <= alpha <= 1 -> 0 <= pess <= H -> 0 <= opt <= H ->
  pess - alpha * H <= mixture_value alpha pess opt.
Proof.
move=> /andP[a0 a1] /andP[p0 p1] /andP[o0 o1]; rewrite -subr_ge0.
have -> : mixture_value alpha pess opt - (pess - alpha * H) = alpha * (H - pess) + alpha * opt.
  by rewrite /mixture_value; ring.
by rewrite addr_ge0 // mulr_ge0 // subr_ge0.
Qed.

(* [prop-mixture], with alpha H in the place of O(alpha) *)
Theorem prop_mixture (R : realFieldType) (alpha pess opt prev H : R) :
  0 <= alpha <= 1 -> 0 <= pess <= H -> 0 <= opt <= H ->
  pess - prev - alpha * H <= mixture_value alpha pess opt - prev.
Proof.
by move=> ha hp ho; rewrite addrAC ler_add2r; exact: eq_mixture_improvement.
Qed.

(* [text-mixture-safety]: an offline algorithm that improves up to eta *)
Theorem text_mixture_safety (R : realFieldType) (alpha pess opt prev H eta eps : R) :
  0 < H -> 0 <= alpha <= 1 -> 0 <= pess <= H -> 0 <= opt <= H ->
  prev - eta <= pess -> alpha <= (eps - eta) / H ->
  prev - eps <= mixture_value alpha pess opt.
Proof.
move=> H0 ha hp ho imp; rewrite ler_pdivl_mulr // => small.
apply: le_trans (eq_mixture_improvement ha hp ho).
rewrite -subr_ge0; have -> : pess - alpha * H - (prev - eps) =
  (pess - (prev - eta)) + (eps - eta - alpha * H) by ring.
by rewrite addr_ge0 // subr_ge0.
Qed.
