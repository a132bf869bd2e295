(* Lemmas E.5 to E.8 on the event: the values of Algorithms 5 and 6, where every regression
   is right up to its bonus, and the covariances made from them. *)
From derl.common Require Import prelude forms.
From derl.lower_bounds Require Import game.
From derl.layerwise Require Import optimism truncation.
From derl.reward_free Require Import planning event.

Section Terminal.
Variables (R : realFieldType) (S A : finType) (P : nat -> S -> A -> S -> R).
Hypothesis hP : forall h s a, is_law (P h s a).
Implicit Types (mu : nat -> S -> A -> R) (g : nat -> S -> A) (Rw : S -> A -> R) (b est : nat -> S -> A -> R).

(* the value of a policy for a reward Rw in layer L alone, from layer h on with k layers
   before it: L = h + k *)
Fixpoint tvalue mu Rw h k s : R :=
  if k is k'.+1 then \sum_a mu h s a * \sum_s' P h s a s' * tvalue mu Rw h.+1 k' s'
  else \sum_a mu h s a * Rw s a.

Lemma tvalue01 mu Rw h k s : (forall h s, is_law (mu h s)) -> (forall s a, 0 <= Rw s a <= 1) ->
  0 <= tvalue mu Rw h k s <= 1.
Proof.
move=> hmu hR; elim: k h s => [|k IH] h s /=; apply/andP; split.
- by apply: sumr_ge0 => a _; rewrite mulr_ge0 ?(proj1 (hmu h s)) //; case/andP: (hR s a).
- by apply: mean_bound => // a; case/andP: (hR s a).
- apply: sumr_ge0 => a _; rewrite mulr_ge0 ?(proj1 (hmu h s)) //; apply: sumr_ge0 => s' _.
  by rewrite mulr_ge0 ?(proj1 (hP h s a)) //; case/andP: (IH h.+1 s').
- by apply: mean_bound => // a; apply: mean_bound => // s'; case/andP: (IH h.+1 s').
Qed.

(* Algorithm 5: V is the greedy value of Q = min (est + b, 1) below layer L and of Rw in it *)
Definition solve_value est b (g : nat -> S -> A) Rw L h s : R :=
  if (h < L)%N then Num.min (est h s (g h s) + b h s (g h s)) 1 else Rw s (g h s).

Variables (est b : nat -> S -> A -> R) (g : nat -> S -> A) (Rw : S -> A -> R) (L : nat).
Let V := solve_value est b g Rw L.
Hypothesis hR : forall s a, 0 <= Rw s a <= 1.
Hypothesis event : forall h s a, (h < L)%N -> `|est h s a - \sum_s' P h s a s' * V h.+1 s'| <= b h s a.

Lemma solve_above mu : (forall h s, is_law (mu h s)) ->
  (forall h s a, (h < L)%N -> Num.min (est h s a + b h s a) 1 <= V h s) ->
  (forall s a, Rw s a <= V L s) ->
  forall h k s, (h + k)%N = L -> tvalue mu Rw h k s <= V h s.
Proof.
move=> hmu gr grL h k; elim: k h => [|k IH] h s hk /=.
  by rewrite addn0 in hk; rewrite hk; apply: mean_bound => // a; exact: grL.
have hL' : (h < L)%N by rewrite -hk addnS ltnS leq_addr.
have hk' : (h.+1 + k)%N = L by rewrite addSnnS.
apply: mean_bound => // a; apply: le_trans (gr h s a hL'); rewrite le_minr; apply/andP; split.
  have le1 : \sum_s' P h s a s' * tvalue mu Rw h.+1 k s' <= \sum_s' P h s a s' * V h.+1 s'.
    by apply: mean_le => s'; [exact: (proj1 (hP h s a))|exact: IH].
  apply: le_trans le1 _; have := event s a hL'; rewrite ler_norml => /andP[e _].
  by rewrite -subr_ge0 opprK in e; rewrite -subr_ge0 addrAC.
by apply: mean_bound => // s'; case/andP: (tvalue01 h.+1 k s' hmu hR).
Qed.

(* the value is at most that of a policy g' plus twice its bonuses, if g' is greedy up to eta *)
Lemma solve_below g' eta : 
  (forall h s, (h < L)%N -> V h s <= Num.min (est h s (g' h s) + b h s (g' h s)) 1 + eta) ->
  (forall s, V L s <= Rw s (g' L s) + eta) ->
  forall h k s, (h + k)%N = L -> V h s <= tvalue (det R g') Rw h k s +
     2%:R * value P (det R g') b h k s + k.+1%:R * eta.
Proof.
move=> gr grL h k; elim: k h => [|k IH] h s hk /=.
  by rewrite addn0 in hk; rewrite hk sum_det mulr0 addr0 mul1r; exact: grL.
have hL' : (h < L)%N by rewrite -hk addnS ltnS leq_addr.
have hk' : (h.+1 + k)%N = L by rewrite addSnnS.
rewrite !sum_det; set a := g' h s.
have e1 : V h s <= est h s a + b h s a + eta.
  by apply: le_trans (gr h s hL') _; rewrite ler_add2r le_minl lexx.
have := event s a hL'; rewrite ler_norml => /andP[_ e2].
set PV := \sum_s' P h s a s' * V h.+1 s' in e2.
set T := \sum_s' P h s a s' * tvalue _ _ _ _ _; set B := \sum_s' P h s a s' * value _ _ _ _ _ _.
have e3 : PV <= T + 2%:R * B + k.+1%:R * eta.
  apply: (@le_trans _ _ (\sum_s' P h s a s' * (tvalue (det R g') Rw h.+1 k s' +
     2%:R * value P (det R g') b h.+1 k s' + k.+1%:R * eta))).
    by apply: mean_le => s'; [exact: (proj1 (hP h s a))|exact: IH].
  rewrite le_eqVlt; apply/orP; left; apply/eqP; under eq_bigr do rewrite !mulrDr.
  rewrite !big_split /= -mulr_suml (proj2 (hP h s a)) mul1r; congr (_ + _ + _).
  by rewrite /B mulr_sumr; apply: eq_bigr => s' _; rewrite mulrCA.
apply: le_trans e1 _; rewrite -subr_ge0.
have -> : T + 2%:R * (b h s a + B) + k.+2%:R * eta - (est h s a + b h s a + eta) =
  (b h s a - (est h s a - PV)) + (T + 2%:R * B + k.+1%:R * eta - PV).
  by rewrite -[k.+2]add1n natrD; ring.
by apply: addr_ge0; rewrite subr_ge0.
Qed.
End Terminal.

Section Algorithms.
Variables (R : rcfType) (S A : finType) (d : nat).
Variables (P : nat -> S -> A -> S -> R) (phi : nat -> S -> A -> 'cV[R]_d) (rho : S -> R).
Implicit Types (mu : nat -> S -> A -> R) (w : nat -> 'cV[R]_d) (Sig : nat -> 'M[R]_d).

(* the expected value of the first state, for a reward in layer L alone *)
Definition TJ mu (Rw : S -> A -> R) L : R := \sum_s rho s * tvalue P mu Rw 0 L s.
(* the norm of the feature in Sigma^-1 *)
Definition width Sig h s a : R := Num.sqrt (qf (invmx (Sig h)) (phi h s a)).

(* [res-optq-overestimation], whole: mu is any policy; the second policy of the bound is the
   greedy one; under (2) the sum of the widths of every policy is at most (L/H) xi, with L the
   number of layers before the reward *)
Theorem res_optq_overestimation (L : nat) (beta : R) w Sig (Rw : S -> A -> R) (g : nat -> S -> A) :
  let est := linear phi w in let b := bonus phi beta Sig in
  let V := solve_value est b g Rw L in
  (forall h s a, is_law (P h s a)) -> is_law rho -> 0 <= beta -> (forall s a, 0 <= Rw s a <= 1) ->
  (forall h s a, (h < L)%N -> Num.min (est h s a + b h s a) 1 <= V h s) ->
  (forall s a, Rw s a <= V L s) ->
  (forall h s a, (h < L)%N -> `|est h s a - \sum_s' P h s a s' * V h.+1 s'| <= b h s a) ->
  (forall mu h k s, (forall h s, is_law (mu h s)) -> (h + k)%N = L ->
     0 <= tvalue P mu Rw h k s <= V h s) /\
  (forall h k s, (h + k)%N = L -> exists2 pi : nat -> S -> A -> R, (forall h s, is_law (pi h s)) &
     V h s <= tvalue P pi Rw h k s + 2%:R * beta * value P pi (width Sig) h k s) /\
  (forall (H : nat) xi, (forall pi, (forall h s, is_law (pi h s)) ->
       J P rho pi (width Sig) L <= L%:R / H%:R * xi) ->
     exists2 pi : nat -> S -> A -> R, (forall h s, is_law (pi h s)) &
     \sum_s rho s * V 0%N s <= TJ pi Rw L + 2%:R * beta * xi * (L%:R / H%:R)).
Proof.
move=> est b V hP [rho0 rho1] b0 hR gr grL event.
have hb mu h k s : value P mu b h k s = beta * value P mu (width Sig) h k s.
  by rewrite -value_scale.
have low : forall h k s, (h + k)%N = L ->
    V h s <= tvalue P (det R g) Rw h k s + 2%:R * beta * value P (det R g) (width Sig) h k s.
  move=> h k s hk; have := @solve_below _ _ _ P hP est b g Rw L event g 0.
  move=> /(_ _ _ h k s hk); rewrite hb mulr0 addr0 mulrA; apply.
    by move=> h' s' hL'; rewrite addr0 /solve_value hL'.
  by move=> s'; rewrite addr0 /solve_value ltnn.
split; [|split].
- move=> mu h k s hmu hk; apply/andP; split; first by case/andP: (tvalue01 hP h k s hmu hR).
  exact: (solve_above hP hR event).
- by move=> h k s hk; exists (det R g); [exact: det_law|exact: low].
- move=> H xi hxi; exists (det R g); first exact: det_law.
  apply: (@le_trans _ _ (TJ (det R g) Rw L + 2%:R * beta * J P rho (det R g) (width Sig) L)).
    rewrite /TJ /J mulr_sumr -big_split /=; apply: ler_sum => s _.
    by rewrite mulrCA -mulrDr ler_wpmul2l //; apply: low.
  rewrite ler_add2l -[leRHS]mulrA ler_wpmul2l ?mulr_ge0 ?ler0n // [xi * _]mulrC.
  by apply: hxi => h s; exact: det_law.
Qed.

(* control: with beta in the place of 2 beta it is false, in one state with one action *)
Theorem optq_overestimation_control : ~ (forall est b v : rat, `|est - v| <= b ->
  Num.min (est + b) 1 <= v + b).
Proof.
move=> /(_ (2%:R^-1) (4%:R^-1) (4%:R^-1)) h.
have no : ~~ (Num.min (2%:R^-1 + 4%:R^-1) 1 <= 4%:R^-1 + 4%:R^-1 :> rat) by vm_compute.
by apply: (negP no); apply: h; vm_compute.
Qed.

(* clipping to [0, 1] *)
Definition clip (x : R) : R := Num.min (Num.max x 0) 1.
Lemma clip_near x y : 0 <= y <= 1 -> `|clip x - y| <= `|x - y|.
Proof.
move=> /andP[y0 y1]; rewrite /clip; case: (leP x 0) => x0.
  have -> : Num.min 0 1 = 0 :> R by apply/min_idPl; exact: ler01.
  rewrite sub0r normrN (ger0_norm y0) ler0_norm; last by rewrite subr_le0 (le_trans x0).
  by rewrite opprB ler_addl oppr_ge0.
case: (leP x 1) => x1 //; rewrite ger0_norm ?subr_ge0 // ger0_norm.
  by rewrite ler_add2r ltW.
by rewrite subr_ge0 (le_trans y1) // ltW.
Qed.

(* Algorithm 6: Vh is the estimated value of the policy mu *)
Definition evaluated mu (est : nat -> S -> A -> R) (Rw : S -> A -> R) (L : nat) (Vh : nat -> S -> R) : Prop :=
  (forall h s, (h < L)%N -> Vh h s = \sum_a mu h s a * clip (est h s a)) /\
  (forall s, Vh L s = \sum_a mu L s a * Rw s a).

(* [res-policy-evaluation], without its last sentence *)
Theorem res_policy_evaluation (L : nat) (beta : R) w Sig (Rw : S -> A -> R) mu (Vh : nat -> S -> R) :
  let est := linear phi w in let b := bonus phi beta Sig in
  (forall h s a, is_law (P h s a)) -> is_law rho -> (forall h s, is_law (mu h s)) ->
  0 <= beta -> (forall s a, 0 <= Rw s a <= 1) -> evaluated mu est Rw L Vh ->
  (forall h s a, (h < L)%N -> `|est h s a - \sum_s' P h s a s' * Vh h.+1 s'| <= b h s a) ->
  (forall h k s, (h + k)%N = L -> `|tvalue P mu Rw h k s - Vh h s| <= beta * value P mu (width Sig) h k s) /\
  (forall (H : nat) xi, J P rho mu (width Sig) L <= L%:R / H%:R * xi ->
     `|TJ mu Rw L - \sum_s rho s * Vh 0%N s| <= beta * xi * (L%:R / H%:R)).
Proof.
move=> est b hP [rho0 rho1] hmu b0 hR [hV hVL] event.
have key : forall h k s, (h + k)%N = L -> `|tvalue P mu Rw h k s - Vh h s| <= beta * value P mu (width Sig) h k s.
  move=> h k s; rewrite -value_scale; elim: k h s => [|k IH] h s hk.
    by rewrite addn0 in hk; rewrite hk hVL /= subrr normr0.
  have hL' : (h < L)%N by rewrite -hk addnS ltnS leq_addr.
  have hk' : (h.+1 + k)%N = L by rewrite addSnnS.
  rewrite hV //= -sumrB; apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => a _.
  rewrite -mulrBr normrM ger0_norm ?(proj1 (hmu h s)) // ler_wpmul2l ?(proj1 (hmu h s)) //.
  set T := \sum_s' P h s a s' * tvalue _ _ _ _ _ _; set PV := \sum_s' P h s a s' * Vh h.+1 s'.
  have T01 : 0 <= T <= 1.
    apply/andP; split; last by apply: mean_bound => // s'; case/andP: (tvalue01 hP h.+1 k s' hmu hR).
    apply: sumr_ge0 => s' _; rewrite mulr_ge0 ?(proj1 (hP h s a)) //.
    by case/andP: (tvalue01 hP h.+1 k s' hmu hR).
  rewrite distrC; apply: le_trans (clip_near _ T01) _.
  have -> : est h s a - T = (est h s a - PV) + (PV - T) by ring.
  apply: le_trans (ler_norm_add _ _) _; apply: ler_add; first exact: event.
  rewrite /PV /T -sumrB; apply: le_trans (ler_norm_sum _ _ _) _; apply: ler_sum => s' _.
  rewrite -mulrBr normrM ger0_norm ?(proj1 (hP h s a)) // ler_wpmul2l ?(proj1 (hP h s a)) //.
  by rewrite distrC; exact: IH.
split=> // H xi hxi; rewrite /TJ -sumrB; apply: le_trans (ler_norm_sum _ _ _) _.
apply: (@le_trans _ _ (beta * J P rho mu (width Sig) L)).
  rewrite /J mulr_sumr; apply: ler_sum => s _; rewrite -mulrBr normrM ger0_norm // mulrCA.
  by rewrite ler_wpmul2l //; apply: key.
by rewrite -mulrA ler_wpmul2l // [xi * _]mulrC.
Qed.

(* the reward of Algorithm 6 for the entry (i, j), and the true and the estimated covariance *)
Definition entry_reward L (i j : 'I_d) s a : R := (1 + phi L s a i ord0 * phi L s a j ord0) / 2%:R.
(* the true covariance E phi phi^T in layer L under the policy mu *)
Definition covariance mu L : 'M[R]_d := \matrix_(i, j)
  TJ mu (fun s a => phi L s a i ord0 * phi L s a j ord0) L.
(* the covariance that Algorithm 6 estimates: twice the mean of the estimated values of the entry rewards, minus
   one *)
Definition estimated (Vh : 'I_d -> 'I_d -> nat -> S -> R) : 'M[R]_d :=
  \matrix_(i, j) (2%:R * (\sum_s rho s * Vh i j 0%N s) - 1).

Lemma entry01 L i j s a : (forall s a, qf 1%:M (phi L s a) <= 1) -> 0 <= entry_reward L i j s a <= 1.
Proof.
move=> h1; have sqb (l : 'I_d) : phi L s a l ord0 ^+ 2 <= 1.
  apply: le_trans (h1 s a); rewrite qfE (bigD1 l) //= ler_addl.
  by apply: sumr_ge0 => m _; exact: sqr_ge0.
have b1 (l : 'I_d) : `|phi L s a l ord0| <= 1.
  by rewrite -(ler_pexpn2r (n := 2)) ?nnegrE ?ler01 // expr1n real_normK ?num_real.
have : `|phi L s a i ord0 * phi L s a j ord0| <= 1.
  by rewrite normrM mulr_ile1.
rewrite ler_norml => /andP[l u]; apply/andP; split.
  by rewrite divr_ge0 ?ler0n // -ler_subl_addl sub0r.
rewrite ler_pdivr_mulr ?ltr0n // mul1r; have -> : 2%:R = 1 + 1 :> R by [].
by rewrite ler_add2l.
Qed.

Lemma tvalue_affine mu (F : S -> A -> R) h k s : (forall h s a, is_law (P h s a)) ->
  (forall h s, is_law (mu h s)) ->
  tvalue P mu (fun s a => (1 + F s a) / 2%:R) h k s = (1 + tvalue P mu F h k s) / 2%:R.
Proof.
move=> hP hmu; elim: k h s => [|k IH] h s /=.
  under eq_bigr do rewrite mulrA mulrDr mulr1.
  by rewrite -mulr_suml big_split /= (proj2 (hmu h s)).
have inner a : \sum_s' P h s a s' * tvalue P mu (fun s a => (1 + F s a) / 2%:R) h.+1 k s' =
    (1 + \sum_s' P h s a s' * tvalue P mu F h.+1 k s') / 2%:R.
  under eq_bigr do rewrite IH mulrA mulrDr mulr1.
  by rewrite -mulr_suml big_split /= (proj2 (hP h s a)).
under eq_bigr do rewrite inner mulrA mulrDr mulr1.
by rewrite -mulr_suml big_split /= (proj2 (hmu h s)).
Qed.

(* [eq-covariance-entries], whole: the event says that each of the regressions of the entries
   is right up to the bonus; L layers lie before the layer of the covariance *)
Theorem eq_covariance_entries (L H : nat) (beta xi : R) (w : 'I_d -> 'I_d -> nat -> 'cV[R]_d) Sig mu
    (Vh : 'I_d -> 'I_d -> nat -> S -> R) :
  (forall h s a, is_law (P h s a)) -> is_law rho -> (forall h s, is_law (mu h s)) -> 0 <= beta ->
  (forall s a, qf 1%:M (phi L s a) <= 1) ->
  (forall i j, evaluated mu (linear phi (w i j)) (entry_reward L i j) L (Vh i j)) ->
  (forall i j h s a, (h < L)%N ->
     `|linear phi (w i j) h s a - \sum_s' P h s a s' * Vh i j h.+1 s'| <= bonus phi beta Sig h s a) ->
  J P rho mu (width Sig) L <= L%:R / H%:R * xi ->
  forall i j, `|estimated Vh i j - covariance mu L i j| <= 2%:R * beta * xi * (L%:R / H%:R).
Proof.
move=> hP hrho hmu b0 h1 hV event hxi i j; rewrite !mxE.
have r01 s a := entry01 i j s a h1.
have [_ /(_ H xi hxi) e] := res_policy_evaluation hP hrho hmu b0 r01 (hV i j) (event i j).
have cE : TJ mu (entry_reward L i j) L = (1 + TJ mu (fun s a => phi L s a i ord0 * phi L s a j ord0) L) / 2%:R.
  rewrite /TJ /entry_reward; under eq_bigr do rewrite tvalue_affine // mulrA mulrDr mulr1.
  by rewrite -mulr_suml big_split /= (proj2 hrho).
set c := TJ mu (fun s a => phi L s a i ord0 * phi L s a j ord0) L in cE *.
set v := \sum_s _ in e *.
have -> : 2%:R * v - 1 - c = 2%:R * (v - (1 + c) / 2%:R) by field.
rewrite normrM ger0_norm ?ler0n // -cE distrC -!mulrA ler_pmul2l ?ltr0n //; apply: le_trans e _; rewrite !mulrA;
  exact: lexx.
Qed.
End Algorithms.

(* [text-sketch-sum], whole: xi2 is the bound of (3), 2 beta' xi for each policy *)
Theorem text_sketch_sum (R : realFieldType) (d i : nat) (Lh Lt : nat -> 'M[R]_d) (beta xi : R) :
  (forall k a b, (k < i)%N -> `|Lh k a b - Lt k a b| <= 2%:R * beta * xi) ->
  forall a b, `|(2%:R%:M + \sum_(k < i) Lh k) a b - (2%:R%:M + \sum_(k < i) Lt k) a b| <=
    i%:R * (2%:R * beta * xi).
Proof.
move=> h a b.
have -> : (2%:R%:M + \sum_(k < i) Lh k) a b - (2%:R%:M + \sum_(k < i) Lt k) a b =
    \sum_(k < i) (Lh k a b - Lt k a b).
  move: (2%:R%:M : 'M[R]_d) => C; rewrite mxE [X in _ - X]mxE opprD addrACA subrr add0r.
  by rewrite !summxE sumrB.
apply: le_trans (ler_norm_sum _ _ _) _.
have -> : i%:R * (2%:R * beta * xi) = \sum_(k < i) 2%:R * beta * xi.
  by rewrite sumr_const card_ord mulr_natl.
by apply: ler_sum => k _; apply: h.
Qed.

(* [res-accumulated-error], whole: the policies mu k, their covariances and estimates *)
Theorem res_accumulated_error (R : rcfType) (S A : finType) (d : nat)
    (P : nat -> S -> A -> S -> R) (phi : nat -> S -> A -> 'cV[R]_d) (rho : S -> R)
    (L H i : nat) (beta xi : R) (w : nat -> 'I_d -> 'I_d -> nat -> 'cV[R]_d) (Sig : nat -> 'M[R]_d)
    (mu : nat -> nat -> S -> A -> R) (Vh : nat -> 'I_d -> 'I_d -> nat -> S -> R) :
  (forall h s a, is_law (P h s a)) -> is_law rho -> (forall k h s, is_law (mu k h s)) -> 0 <= beta ->
  (forall s a, qf 1%:M (phi L s a) <= 1) ->
  (forall k a b, evaluated (mu k) (linear phi (w k a b)) (entry_reward phi L a b) L (Vh k a b)) ->
  (forall k a b h s u, (h < L)%N ->
     `|linear phi (w k a b) h s u - \sum_s' P h s u s' * Vh k a b h.+1 s'| <= bonus phi beta Sig h s u) ->
  (forall k, J P rho (mu k) (width phi Sig) L <= L%:R / H%:R * xi) ->
  forall a b, `|(2%:R%:M + \sum_(k < i) estimated rho (Vh k)) a b -
                (2%:R%:M + \sum_(k < i) covariance P phi rho (mu k) L) a b| <=
    2%:R * i%:R * beta * xi * (L%:R / H%:R).
Proof.
move=> hP hrho hmu b0 h1 hV event hxi a b.
have e k : forall a b, `|estimated rho (Vh k) a b - covariance P phi rho (mu k) L a b| <=
    2%:R * beta * (xi * (L%:R / H%:R)).
  by move=> x y; rewrite mulrA; exact: (eq_covariance_entries hP hrho (hmu k) b0 h1 (hV k) (event k) (hxi k)).
have := text_sketch_sum (i := i) (Lh := fun k => estimated rho (Vh k))
  (Lt := fun k => covariance P phi rho (mu k) L) (fun k x y _ => e k x y) a b.
by move=> h; apply: le_trans h _; rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.
