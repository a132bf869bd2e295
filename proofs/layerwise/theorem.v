(* Theorem 4.1, repaired, on its event: Algorithm 1 stops in time, and every policy that
   finishes a layer is epsilon-optimal for the MDP truncated there. *)
From derl.common Require Import real_prelude forms reals.
From derl.potential Require Import count sharp.
From derl.lower_bounds Require Import game.
From derl.layerwise Require Import optimism deployments run.

(* the largest whole number up to x, for x >= 0 *)
Definition floor (x : R) : nat := Z.to_nat (Int_part x).

Lemma le_floor n (x : R) : n%:R <= x -> (n <= floor x)%N.
Proof. by rewrite natE => /floor_le h; apply/ssrnat.leP; rewrite /floor; lia. Qed.

Lemma floor_below (x : R) : 0 <= x -> (floor x)%:R <= x.
Proof.
move=> x0; rewrite natE; have [h1 _] := base_Int_part x.
have z0 : Z.le 0 (Int_part x) by have := @floor_le 0 x x0.
by rewrite /floor INR_IZR_INZ Znat.Z2Nat.id //; apply/RleP.
Qed.

Section Algorithm.
Variables (S A : finType) (d N H : nat).
Variables (P : nat -> S -> A -> S -> R) (r : nat -> S -> A -> R) (rho : S -> R).
Variables (phi : nat -> S -> A -> 'cV[R]_d) (beta eps : R).

(* what a run of Algorithm 1 leaves behind; layers, deployments and trajectories are counted
   from 0: state and action in layer h of trajectory i of deployment k, the policy of
   deployment k in layer h, and the weights of its regression *)
Record run := Run {
  state : nat -> nat -> nat -> S;
  act : nat -> nat -> nat -> A;
  greedy : nat -> nat -> S -> A;
  weight : nat -> nat -> 'cV[R]_d }.
Variable X : run.

(* the features in the data *)
Definition data k h i : 'cV[R]_d := phi h (state X k h i) (act X k h i).
(* I plus the sum over the batches before k *)
Definition Lambda k h : 'M[R]_d := covariance N data k h.
(* the layer that deployment k is there to finish *)
Definition target k : nat := layer N H data beta eps k.
(* it does finish it: Delta_k < eps h / (2 H) *)
Definition done k : bool := finishes N H data beta eps k (target k).
(* beta times the norm, not capped *)
Definition bonus k h s a : R := (beta * Num.sqrt (qf (invmx (Lambda k h)) (phi h s a)))%R.
(* w^T phi *)
Definition est k h s a : R := ((weight X k h)^T *m phi h s a) ord0 ord0.
(* min (w^T phi + r + bonus, H) *)
Definition Q k : nat -> S -> A -> R := Qcap r H%:R (est k) (bonus k).
(* its value at the greedy action in the layers up to the target, 0 beyond *)
Definition V k : nat -> S -> R := Vopt r H%:R (est k) (bonus k) (greedy X k) (target k).+1.

(* the run is one of the algorithm: greedy policies, and weights by least squares for the
   values of the next layer *)
Definition follows : Prop :=
  (forall k h s a, Q k h s a <= Q k h s (greedy X k h s)) /\
  (forall k h, weight X k h = invmx (Lambda k h) *m
     (\sum_(t < k) \sum_(i < N) V k h.+1 (state X t h.+1 i) *: data t h i)).

(* the event at deployment k: every regression is right up to its bonus, and the expected
   bonuses of the policy are at most Delta_k + eps / 2 *)
Definition event k : Prop :=
  (forall h s a, (h <= target k)%N ->
     `|est k h s a - \sum_s' P h s a s' * V k h.+1 s'| <= bonus k h s a) /\
  2%:R * (\sum_s rho s * value P (det R_realFieldType (greedy X k)) (bonus k) 0 (target k).+1 s) <=
    statistic N beta (Lambda k) (data k) (target k) + eps / 2%:R.

(* the value of a policy in the MDP truncated after L layers *)
Definition J (mu : nat -> S -> A -> R) L : R := \sum_s rho s * value P mu r 0 L s.

(* what a finished layer means *)
Lemma guarantee k mu : is_law rho -> (0 < H)%N -> 0 <= eps ->
  (forall h s a, is_law (P h s a)) -> (forall h s, is_law (mu h s)) ->
  (forall h s a, 0 <= r h s a <= 1) -> (forall h s a, Q k h s a <= Q k h s (greedy X k h s)) ->
  event k -> (target k < H)%N -> done k ->
  J mu (target k).+1 - J (det R_realFieldType (greedy X k)) (target k).+1 <= eps.
Proof.
move=> hrho H0 e0 hP hmu hr gr [conc bon] lH fin.
have [_ h] := lem_overestimation_repaired lH hrho hP hmu hr gr conc.
rewrite /J -sumrB; under eq_bigr do rewrite -mulrBr.
apply: le_trans h (le_trans bon _); rewrite -[leRHS](@mulfVK _ 2%:R) ?pnatr_eq0 //.
rewrite mulr_natr mulr2n ler_add2r.
move: fin; rewrite /done /finishes /finished => /ltW fin; apply: le_trans fin _.
have HR : 0 < H%:R :> R by rewrite ltr0n.
have -> : eps / 2%:R = eps * H%:R / (2%:R * H%:R) by field; rewrite gt_eqF.
by rewrite ler_wpmul2r ?invr_ge0 ?mulr_ge0 ?ler0n // ler_wpmul2l // ler_nat.
Qed.

Lemma target_le k : (target k <= target k.+1 <= (target k).+1)%N.
Proof. by rewrite /target /=; case: (finishes _ _ _ _ _ _ _); rewrite ?addn1 ?addn0 leqnn leqnSn. Qed.

(* what follows from the event, whatever the weights are: the policies only have to be greedy *)
Lemma greedy_on_the_event (cK : R) :
  (0 < d)%N -> (0 < N)%N -> (0 < H)%N -> 0 < beta -> 0 < eps -> 1 < cK ->
  is_law rho -> (forall h s a, is_law (P h s a)) -> (forall h s a, 0 <= r h s a <= 1) ->
  (forall h s a, d%:R^-1 <= sqnorm (phi h s a) <= 1) ->
  let l := (eps / (4%:R * H%:R * beta)) ^+ 2 in
  l <= d%:R^-1 -> Rpower (cK / Rpower l cK) (/ (cK - 1))%coqR <= N%:R ->
  let K := (floor (cK * d%:R * H%:R) + 1)%N in
  (forall k h s a, Q k h s a <= Q k h s (greedy X k h s)) -> (forall k, (k < K)%N -> (target k < H)%N -> event k) ->
  (H <= target K)%N /\
  forall h, (h < H)%N -> exists k, [/\ (k < K)%N, target k = h, done k,
    k.+1%:R <= cK * d%:R * h.+1%:R + 1 &
    forall mu, (forall h s, is_law (mu h s)) -> J mu h.+1 - J (det R_realFieldType (greedy X k)) h.+1 <= eps].
Proof.
move=> d0 N0 H0 b0 e0 c1 hrho hP hr hphi l ld hN K gr ev.
have HR : 0 < H%:R :> R by rewrite ltr0n.
have dR : 0 < d%:R :> R by rewrite ltr0n.
have c0 : 0 < cK by apply: lt_trans ltr01 c1.
have l0 : 0 < l by rewrite /l exprn_gt0 // divr_gt0 // !mulr_gt0 ?ltr0n.
have l1 : l <= 1 by apply: le_trans ld _; rewrite invf_le1 // ler1n.
have lE : l = eps ^+ 2 / (16%:R * H%:R ^+ 2 * beta ^+ 2) by rewrite /l; field; rewrite !gt_eqF.
pose viol k h := violates (batches N (fun k => data k h)) (N%:R * l) k.
pose m := floor (cK * d%:R).
have NR : 0 < N%:R :> R by rewrite ltr0n.
have hf i : ~~ done i -> exists2 j, (j <= target i)%N & viol i j.
  move=> nf; have pL h : pd (covariance N data i h) by apply: pd_before => j; exact: psd_gram.
  have [h hl hh] := @unfinished R_rcfType d N H beta eps _ _ _ H0 N0 b0 (ltW e0) pL nf.
  by exists h => //; rewrite /viol /violates mulrC -ler_pdivl_mulr // lE.
have v0 j : viol 0%N j.
  rewrite /viol /violates /before big_ord0 addr0 invmx1 mul1mx /batches /gram raddf_sum /=.
  apply: (@le_trans _ _ (\sum_(i < N) l)).
    by rewrite sumr_const card_ord mulr_natl.
  apply: ler_sum => i _; rewrite tr_outer qfE; apply: le_trans ld _.
  by case/andP: (hphi j (state X 0 j i) (act X 0 j i)).
have hm j n : (\sum_(i < n) viol i j <= m)%N.
  have l01 : 0 < l <= 1 by rewrite l0.
  have h1 k i : sqnorm (data k j i) <= 1 by case/andP: (hphi j (state X k j i) (act X k j i)).
  have [_ _ size] := res_sharp_potential n d0 N0 l01 h1.
  exact: le_floor (size cK c1 hN).
have stop : (H <= target (m * H + 1)%N)%N.
  by apply: (@stops target done viol) => // *; first [exact: hf|exact: hm].
have mono i j : (i <= j)%N -> (target i <= target j)%N.
  move=> /subnKC <-; elim: (j - i)%N => [|t IH]; first by rewrite addn0.
  by rewrite addnS; apply: leq_trans IH _; case/andP: (target_le (i + t)).
have mK : (m * H + 1 <= K)%N.
  rewrite /K leq_add2r; apply: le_floor; rewrite natrM ler_wpmul2r ?ler0n // floor_below //.
  by rewrite mulr_ge0 ?ler0n // ltW.
split=> [|h hH]; first exact: leq_trans stop (mono _ _ mK).
have ex : exists k, (h < target k)%N by exists (m * H + 1)%N; exact: leq_trans hH stop.
case: (ex_minnP ex) => k kh kmin.
case: k kh kmin => [//|k] kh kmin.
have kle : (target k <= h)%N by rewrite leqNgt; apply/negP => /kmin; rewrite ltnn.
have /andP[_ up] := target_le k.
have tk : target k = h by apply/eqP; rewrite eqn_leq kle -ltnS (leq_trans kh up).
have dk : done k by move: kh; rewrite -tk /target /= -addn1 leq_add2l; case e : (finishes _ _ _ _ _ _ _).
have cnt : (k.+1 <= m * h.+1 + 1)%N by exact: (@ineq_deployment_count target done viol m h k).
have kK : (k < K)%N.
  by apply: leq_trans mK; apply: leq_trans cnt _; rewrite leq_add2r leq_mul2l hH orbT.
exists k; split=> //.
  rewrite (@le_trans _ _ (m * h.+1 + 1)%:R) ?ler_nat // natrD natrM ler_add2r ler_wpmul2r ?ler0n //.
  by rewrite floor_below // mulr_ge0 ?ler0n // ltW.
move=> mu hmu; have kH : (target k < H)%N by rewrite tk.
by rewrite -tk; apply: guarantee => //; [exact: ltW|exact: ev].
Qed.

(* [thm-layerwise-detailed-repaired] on its event.  cK is any real above 1, and
   the level is l = (eps / (4 H beta))^2; mu is any policy, the best one among them. *)
Theorem theorem_on_the_event (cK : R) :
  (0 < d)%N -> (0 < N)%N -> (0 < H)%N -> 0 < beta -> 0 < eps -> 1 < cK ->
  is_law rho -> (forall h s a, is_law (P h s a)) -> (forall h s a, 0 <= r h s a <= 1) ->
  (forall h s a, d%:R^-1 <= sqnorm (phi h s a) <= 1) ->
  let l := (eps / (4%:R * H%:R * beta)) ^+ 2 in
  l <= d%:R^-1 -> Rpower (cK / Rpower l cK) (/ (cK - 1))%coqR <= N%:R ->
  let K := (floor (cK * d%:R * H%:R) + 1)%N in
  follows -> (forall k, (k < K)%N -> (target k < H)%N -> event k) ->
  (H <= target K)%N /\
  forall h, (h < H)%N -> exists k, [/\ (k < K)%N, target k = h, done k,
    k.+1%:R <= cK * d%:R * h.+1%:R + 1 &
    forall mu, (forall h s, is_law (mu h s)) -> J mu h.+1 - J (det R_realFieldType (greedy X k)) h.+1 <= eps].
Proof. by move=> d0 N0 H0 b0 e0 c1 hrho hP hr hphi l ld hN K [gr _]; exact: greedy_on_the_event. Qed.
End Algorithm.
