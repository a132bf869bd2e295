(* Reward-free exploration and planning on the event that every regression is right up to
   its bonus: Lemma D.2, Lemma D.3 and the chain of Theorem D.4. *)
From derl.common Require Import prelude forms.
From derl.lower_bounds Require Import game.
From derl.layerwise Require Import optimism truncation.

Section Values.
Variables (R : realFieldType) (S A : finType) (P : nat -> S -> A -> S -> R).
Hypothesis hP : forall h s a, is_law (P h s a).
Implicit Types (r b : nat -> S -> A -> R) (mu : nat -> S -> A -> R).

Lemma value_le mu r r' h k s : (forall h s, is_law (mu h s)) ->
  (forall h s a, r h s a <= r' h s a) -> value P mu r h k s <= value P mu r' h k s.
Proof.
move=> hmu hr; elim: k h s => [|k IH] h s //=; apply: mean_le => a; first exact: (proj1 (hmu h s)).
by apply: ler_add => //; apply: mean_le => s'; [exact: (proj1 (hP h s a))|exact: IH].
Qed.

Lemma value_scale mu r c h k s :
  value P mu (fun h s a => c * r h s a) h k s = c * value P mu r h k s.
Proof.
elim: k h s => [|k IH] h s /=; first by rewrite mulr0.
rewrite mulr_sumr; apply: eq_bigr => a _; rewrite mulrCA; congr (_ * _).
rewrite mulrDr; congr (_ + _); rewrite mulr_sumr; apply: eq_bigr => s' _.
by rewrite IH mulrCA.
Qed.

Lemma value_ge0 mu r h k s : (forall h s, is_law (mu h s)) -> (forall h s a, 0 <= r h s a) ->
  0 <= value P mu r h k s.
Proof.
move=> hmu hr; elim: k h s => [|k IH] h s //=; apply: sumr_ge0 => a _.
rewrite mulr_ge0 ?(proj1 (hmu h s)) // addr_ge0 //; apply: sumr_ge0 => s' _.
by rewrite mulr_ge0 ?(proj1 (hP h s a)).
Qed.
End Values.

Section Capped.
Variables (R : realFieldType) (S A : finType) (P : nat -> S -> A -> S -> R).
Variables (r : nat -> S -> A -> R).

(* optimism with the bonus capped in the bound: V - V^g <= 2 E_g sum min (b, cap) *)
Lemma optimism_capped (Hcap : R) est b g L :
  (forall h s a, is_law (P h s a)) -> (forall h s a, 0 <= r h s a <= 1) -> L%:R <= Hcap ->
  let Q := Qcap r Hcap est b in let V := Vopt r Hcap est b g L in
  (forall h s a, Q h s a <= Q h s (g h s)) ->
  (forall h s a, (h < L)%N -> `|est h s a - \sum_s' P h s a s' * V h.+1 s'| <= b h s a) ->
  forall h k s, (h + k)%N = L ->
    V h s - value P (det R g) r h k s <=
      2%:R * value P (det R g) (fun h s a => Num.min (b h s a) Hcap) h k s.
Proof.
move=> hP hr hL Q V greedy event h k.
have V0 h' s' : 0 <= V h' s'.
  rewrite /V; case: (leqP L h') => hl; first by rewrite /Vopt ltnNge hl.
  have e : (h' + (L - h'))%N = L by rewrite subnKC // ltnW.
  have [O _] := optimism hP (det_law R g) hr hL greedy event s' e.
  by apply: le_trans O; apply: value_ge0 => // [|x y z]; [exact: det_law|case/andP: (hr x y z)].
elim: k h => [|k IH] h s hk.
  by rewrite /V /Vopt ltnNge -hk addn0 leqnn /= subrr mulr0.
have hL' : (h < L)%N by rewrite -hk addnS ltnS leq_addr.
have hk' : (h.+1 + k)%N = L by rewrite addSnnS.
rewrite /= !sum_det; set a := g h s; set m := Num.min _ _.
set PV := \sum_s' P h s a s' * V h.+1 s'.
have e3 : PV - \sum_s' P h s a s' * value P (det R g) r h.+1 k s' <=
    2%:R * \sum_s' P h s a s' * value P (det R g) (fun h s a => Num.min (b h s a) Hcap) h.+1 k s'.
  rewrite -sumrB mulr_sumr; apply: ler_sum => s' _; rewrite -mulrBr mulrCA.
  by rewrite ler_wpmul2l ?(proj1 (hP h s a)) //; exact: IH.
have /andP[r0 r1] := hr h s a.
have PV0 : 0 <= PV by apply: sumr_ge0 => s' _; rewrite mulr_ge0 ?(proj1 (hP h s a)).
have b0 : 0 <= b h s a by apply: le_trans (event h s a hL'); exact: normr_ge0.
have e1 : V h s <= est h s a + r h s a + b h s a.
  by rewrite /V /Vopt hL' /Qcap le_minl lexx.
have e2 := event h s a hL'; rewrite ler_norml -/V -/PV in e2; case/andP: e2 => _ e2.
have e4 : V h s <= Hcap by rewrite /V /Vopt hL' /Qcap le_minl lexx orbT.
have step : V h s - r h s a - PV <= 2%:R * m.
  rewrite /m; case: (lerP (b h s a) Hcap) => cmp.
    rewrite -subr_ge0; have -> : 2%:R * b h s a - (V h s - r h s a - PV) =
      (est h s a + r h s a + b h s a - V h s) + (b h s a - (est h s a - PV)) by ring.
    by apply: addr_ge0; rewrite subr_ge0.
  have H0 : 0 <= Hcap by apply: le_trans hL; rewrite ler0n.
  rewrite -subr_ge0; have -> : 2%:R * Hcap - (V h s - r h s a - PV) =
    (Hcap - V h s) + (r h s a + PV + Hcap) by ring.
  by apply: addr_ge0; [rewrite subr_ge0|apply: addr_ge0 => //; exact: addr_ge0].
move: e3; set x := \sum_s' _; set y := \sum_s' _ => e3.
have -> : V h s - (r h s a + x) = (V h s - r h s a - PV) + (PV - x) by ring.
by rewrite mulrDr; exact: ler_add.
Qed.
End Capped.

Section Rewardfree.
Variables (R : realFieldType) (S A : finType) (P : nat -> S -> A -> S -> R).
Hypothesis hP : forall h s a, is_law (P h s a).

(* the reward of exploration: the bonus capped at H, divided by H *)
Definition explore_reward (H : nat) (b : nat -> S -> A -> R) h s a : R := Num.min (b h s a) H%:R / H%:R.

Lemma explore_reward01 H b h s a : (0 < H)%N -> 0 <= b h s a -> 0 <= explore_reward H b h s a <= 1.
Proof.
move=> H0 b0; have HR : 0 < H%:R :> R by rewrite ltr0n.
rewrite /explore_reward; apply/andP; split.
  by apply: divr_ge0; [rewrite le_minr b0 ler0n|exact: ler0n].
by rewrite ler_pdivr_mulr // mul1r le_minl lexx orbT.
Qed.

(* the greedy value of exploration is at most 2 H + 1 times the value of its policy; u is
   the bonus inside Q, at most b *)
Lemma explored_value (H L : nat) (est b u : nat -> S -> A -> R) (g : nat -> S -> A) :
  (0 < H)%N -> (L <= H)%N -> (forall h s a, 0 <= b h s a) -> (forall h s a, u h s a <= b h s a) ->
  let r := explore_reward H b in let V := Vopt r H%:R est u g L in
  (forall h s a, (h < L)%N -> `|est h s a - \sum_s' P h s a s' * V h.+1 s'| <= b h s a) ->
  forall h k s, (h + k)%N = L -> V h s <= (2%:R * H%:R + 1) * value P (det R g) r h k s.
Proof.
move=> H0 LH b0 ub r V event h k; have HR : 0 < H%:R :> R by rewrite ltr0n.
have c0 : 0 <= 2%:R * H%:R + 1 :> R by rewrite addr_ge0 ?ler01 ?mulr_ge0 ?ler0n.
elim: k h => [|k IH] h s hk.
  by rewrite /V /Vopt ltnNge -hk addn0 leqnn /= mulr0.
have hL' : (h < L)%N by rewrite -hk addnS ltnS leq_addr.
have hk' : (h.+1 + k)%N = L by rewrite addSnnS.
rewrite /= !sum_det; set a := g h s.
set PV := \sum_s' P h s a s' * V h.+1 s'; set W := \sum_s' _.
have le1 : PV <= (2%:R * H%:R + 1) * W.
  rewrite /PV /W mulr_sumr; apply: ler_sum => s' _; rewrite mulrCA.
  by rewrite ler_wpmul2l ?(proj1 (hP h s a)) //; exact: IH.
have W0 : 0 <= W.
  apply: sumr_ge0 => s' _; rewrite mulr_ge0 ?(proj1 (hP h s a)) //.
  apply: value_ge0 => //; first exact: det_law.
  by move=> x y z; case/andP: (@explore_reward01 H b x y z H0 (b0 x y z)).
have e2 := event h s a hL'; rewrite ler_norml -/PV in e2; case/andP: e2 => _ e2.
case: (lerP (b h s a) H%:R) => cmp.
  have rE : r h s a = b h s a / H%:R by rewrite /r /explore_reward; move/min_idPl: cmp => ->.
  have e1 : V h s <= est h s a + r h s a + u h s a by rewrite /V /Vopt hL' /Qcap le_minl lexx.
  rewrite -subr_ge0; have -> : (2%:R * H%:R + 1) * (r h s a + W) - V h s =
    (est h s a + r h s a + u h s a - V h s) + (b h s a - (est h s a - PV)) + (b h s a - u h s a) +
    ((2%:R * H%:R + 1) * W - PV).
    by rewrite rE; field; exact: lt0r_neq0.
  by apply: addr_ge0; [apply: addr_ge0; [apply: addr_ge0|]|]; rewrite subr_ge0.
have rE : r h s a = 1.
  by rewrite /r /explore_reward; move/ltW/min_idPr: cmp => ->; rewrite divff // gt_eqF.
have e4 : V h s <= H%:R by rewrite /V /Vopt hL' /Qcap le_minl lexx orbT.
rewrite rE; apply: le_trans e4 _; rewrite -subr_ge0.
have -> : (2%:R * H%:R + 1) * (1 + W) - H%:R = H%:R + 1 + (2%:R * H%:R + 1) * W by ring.
by apply: addr_ge0; [rewrite addr_ge0 ?ler01 ?ler0n|exact: mulr_ge0].
Qed.
End Rewardfree.
