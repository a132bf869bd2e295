(* Seeds with infinitely many values: the expectation under a geometric law is an average in the sense of the lower
   bounds. *)
From Coq Require Epsilon.
From derl.common Require Import real_prelude.
From derl.lower_bounds Require Import features.
Import Field_tac. (* the tactic of Coq, for its real numbers *)

(* the law: the seed v has the probability 1 / 2^(v+1) *)
Definition weight (v : nat) : R := (/ 2 * (/ 2) ^ v)%coqR.
(* the sums of f(v) times the probability 1 / 2^(v+1) of the seed v converge to l *)
Definition expects (f : nat -> R) (l : R) : Prop := Un_cv (sum_f_R0 (fun v => / 2 * (/ 2) ^ v * f v)%coqR) l.
(* the expectation, where it exists *)
Definition expectation (f : nat -> R) : R := Epsilon.epsilon (inhabits 0) (expects f).

Lemma expectationE f l : expects f l -> expectation f = l.
Proof.
move=> h; have h' : expects f (expectation f) by apply: Epsilon.epsilon_spec; exists l.
exact: UL_sequence h' h.
Qed.

Lemma weight_ge0 v : (0 <= weight v)%coqR.
Proof. by apply: Rmult_le_pos; [Lra.lra|apply: pow_le; Lra.lra]. Qed.

Lemma expects_ext f g l : (forall v, f v = g v) -> expects f l -> expects g l.
Proof.
move=> fg h e e0; have [n hn] := h e e0; exists n => m nm.
suff -> : sum_f_R0 (fun v => weight v * g v)%coqR m = sum_f_R0 (fun v => weight v * f v)%coqR m by exact: hn.
by apply: PartSum.sum_eq => i _; rewrite fg.
Qed.

Lemma expects_constant k : expects (fun=> k) k.
Proof.
have lt1 : (Rabs (/ 2) < 1)%coqR by rewrite Rabs_pos_eq; Lra.lra.
have h : Un_cv (sum_f_R0 (fun n => 1 * (/ 2) ^ n)%coqR) (/ (1 - / 2))%coqR by exact: GP_infinite lt1.
have c : Un_cv (fun=> (/ 2 * k)%coqR) (/ 2 * k)%coqR.
  by move=> e e0; exists 0%N => n _; rewrite /R_dist Rminus_diag_eq // Rabs_R0.
have := CV_mult _ _ _ _ c h.
have -> : (/ 2 * k * / (1 - / 2) = k)%coqR by field; Lra.lra.
move=> q e e0; have [n hn] := q e e0; exists n => m nm; have := hn m nm.
suff <- : sum_f_R0 (fun v => weight v * k)%coqR m = (/ 2 * k * sum_f_R0 (fun n => 1 * (/ 2) ^ n) m)%coqR by [].
by rewrite scal_sum; apply: PartSum.sum_eq => i _; rewrite /weight; Lra.lra.
Qed.

Lemma expects_sum (I : finType) (f : I -> nat -> R) (l : I -> R) : (forall i, expects (f i) (l i)) ->
  expects (fun v => \sum_i f i v) (\sum_i l i).
Proof.
move=> hf; have gen (s : seq I) : expects (fun v => \sum_(i <- s) f i v) (\sum_(i <- s) l i).
  elim: s => [|i s IH].
    rewrite big_nil; apply: expects_ext (expects_constant 0) => v; by rewrite big_nil.
  rewrite big_cons; move=> e e0; have [n hn] := CV_plus _ _ _ _ (hf i) IH e e0; exists n => m nm.
  have := hn m nm; rewrite -Cauchy_prod.sum_plus.
  suff -> : sum_f_R0 (fun v => weight v * \sum_(j <- i :: s) f j v)%coqR m =
      sum_f_R0 (fun v => weight v * f i v + weight v * \sum_(j <- s) f j v)%coqR m by [].
  by apply: PartSum.sum_eq => j _; rewrite big_cons -Rmult_plus_distr_l.
exact: gen.
Qed.

Lemma expects_bounded f : (forall v, 0 <= f v <= 1) -> exists l, expects f l.
Proof.
move=> hf; have [l h] : {l | Un_cv (sum_f_R0 (fun v => weight v * f v)%coqR) l}; last by exists l.
apply: (Rseries_CV_comp _ (fun v => weight v * 1)%coqR); last by exists 1; exact: expects_constant.
move=> v; have /andP[/RleP f0 /RleP f1] := hf v; split; first exact: Rmult_le_pos (weight_ge0 v) f0.
exact: (Rmult_le_compat_l _ _ _ (weight_ge0 v) f1).
Qed.

(* the expectation E under the geometric law is an average; it is defined for every number in [0, 1] that depends on the
   seed, such as a probability of failure; and no seed has the probability 0 *)
Theorem geometric_average : let defined f := exists l, expects f l in exists E : (nat -> R) -> R,
  [/\ forall f l, expects f l -> E f = l, averaging (R := R_realFieldType) defined E,
      forall f, (forall v, 0 <= f v <= 1) -> defined f & forall v, 0 < E (fun u => (u == v)%:R)].
Proof.
move=> defined; have mono f g : defined f -> defined g -> (forall v, f v <= g v) -> expectation f <= expectation g.
  move=> [l hl] [m hm] fg; rewrite (expectationE hl) (expectationE hm); apply/RleP.
  have le n : (sum_f_R0 (fun v => weight v * f v) n <= sum_f_R0 (fun v => weight v * g v) n)%coqR.
    by apply: PartSum.sum_Rle => i _; apply: Rmult_le_compat_l; [exact: weight_ge0|exact/RleP].
  exact: (@Rle_cv_lim _ _ _ _ le hl hm).
exists expectation; split; [exact: expectationE|split=> [k|I f hf|//]|exact: expects_bounded|].
- by split; [exists k; exact: expects_constant|exact/expectationE/expects_constant].
- have h i : expects (f i) (expectation (f i)) by have [l hl] := hf i; rewrite (expectationE hl).
  by split; [exists (\sum_i expectation (f i)); exact: expects_sum|exact/expectationE/expects_sum].
move=> v; have w0 : (0 < weight v)%coqR by apply: Rmult_lt_0_compat; [Lra.lra|apply: pow_lt; Lra.lra].
have [l hl] : exists l, expects (fun u => (u == v)%:R) l.
  by apply: expects_bounded => u; rewrite ler0n lern1 leq_b1.
rewrite (expectationE hl); apply/RltP; apply: Rlt_le_trans w0 _.
apply: Rnot_lt_le => lt; have [n hn] := hl (weight v - l)%coqR ltac:(Lra.lra).
have := hn (maxn n v) (elimT ssrnat.leP (leq_maxl n v)); rewrite /R_dist => /Rabs_def2 [lt1 _].
have ge m : (v <= m)%N -> (weight v <= sum_f_R0 (fun u => weight u * (u == v)%:R) m)%coqR.
  elim: m => [|m IH] /=; first by rewrite leqn0 => /eqP ->; rewrite eqxx !Rmult_1_r; exact: Rle_refl.
  rewrite leq_eqVlt => /orP[/eqP <-|vm].
    rewrite eqxx Rmult_1_r; have := PartSum.cond_pos_sum (fun u => weight u * (u == v)%:R)%coqR m.
    move=> p; have := p (fun u => Rmult_le_pos _ _ (weight_ge0 u) (elimT (RleP _ _) (ler0n _ _))).
    by move=> q; Lra.lra.
  have := IH vm; have : (0 <= weight m.+1 * (m.+1 == v)%:R)%coqR by apply: Rmult_le_pos; [exact: weight_ge0|];
    apply/RleP; exact: ler0n.
  by move=> a b; Lra.lra.
have g := ge _ (leq_maxr n v).
by change (weight v <= sum_f_R0 (fun u => / 2 * (/ 2) ^ u * (u == v)%:R) (maxn n v))%coqR in g; Lra.lra.
Qed.
