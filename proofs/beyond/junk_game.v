(* Deployments on junk locks: what the data show, and how far guesses reach on average over the locks. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game locks frontier chains.
From derl.probability Require Import finite chebyshev best_of.
From derl.beyond Require Import sums junk_lock.

Section Deployments.
Variables (R : realFieldType) (n d N : nat).
Implicit Types (w : lock n d) (c g : code n d).

(* A trajectory at the gate has seen the gate only, and elsewhere it has no choice: its policy is a law of guesses.  One
   deployment: a joint law of the guesses of N trajectories, so that they may be chosen jointly *)
Record deployed := Deployed { guesses :> {ffun 'I_N -> code n d} -> R; guesses_law : is_law guesses }.
(* what is returned: a policy *)
Record returned := Returned { plays :> code n d -> R; plays_law : is_law plays }.
(* what one deployment yields *)
Local Notation data := {ffun 'I_N -> {ffun 'I_n -> 'I_d * place d}}.
Definition seen w (gs : {ffun 'I_N -> code n d}) : data := [ffun k => transcript w (gs k)].
Definition deploy_law w (x : deployed) (o : data) : R := \sum_gs x gs * (o == seen w gs)%:R.
(* the digits that the best trajectory plays rightly before the first wrong one *)
Definition deepest (o : data) : nat := \max_(k < N) depth (o k).

(* the value of a policy: the mean of the rewards of all layers *)
Definition worth w (p : returned) : R := \sum_g p g * \sum_(i < n) pays R (transcript w g i).2.
(* the best value: b = 1/2 or b = -1/2 *)
Definition best_worth w : R := if sign w then 1 else 2%:R^-1.
(* the policy is epsilon-optimal *)
Definition optimal (eps : R) w (p : returned) : bool := best_worth w - eps <= worth w p.

Lemma deploy_is_law w x : is_law (deploy_law w x).
Proof.
have [x0 x1] := guesses_law x; split=> [o|].
  by apply: sumr_ge0 => gs _; rewrite mulr_ge0 ?ler0n.
rewrite /deploy_law exchange_big -[RHS]x1; apply: eq_bigr => gs _ /=.
by rewrite -mulr_sumr (bigD1 (seen w gs)) //= eqxx big1 ?addr0 ?mulr1 // => o /negPf ->.
Qed.

Lemma deploy_sum w x (P : pred data) :
  \sum_(o | P o) deploy_law w x o = \sum_(gs | P (seen w gs)) x gs.
Proof.
rewrite /deploy_law exchange_big [RHS]big_mkcond; apply: eq_bigr => gs _ /=; rewrite -mulr_sumr.
case: ifP => h; last first.
  rewrite big1 ?mulr0 // => o Po; case: eqP => // e; by rewrite e h in Po.
by rewrite (bigD1 (seen w gs)) //= eqxx big1 ?addr0 ?mulr1 // => o /andP[_ /negPf ->].
Qed.

Lemma seen_deep w gs M : fair w -> (M <= n)%N -> (0 < M)%N ->
  (M <= deepest (seen w gs))%N = [exists k, shares M (digit w) (gs k)].
Proof.
move=> fw Mn M0; have := @best_exists _ N (fun t => depth t) (seen w gs) M M0.
rewrite -/(deepest _) => ->; apply: eq_existsb => k; by rewrite ffunE depth_shares.
Qed.

Lemma same_transcript w w' g : junk w = junk w' -> sign w = sign w' ->
  (forall t, (t <= n)%N -> shares t (digit w) g = shares t (digit w') g) -> fair w -> fair w' ->
  transcript w g = transcript w' g.
Proof.
move=> jw sw h fw fw'; apply/ffunP => i; apply: injective_projections.
  by rewrite !ffunE /= /at_layer h ?(ltnW (ltn_ord i)) // jw.
rewrite (transcript_path g i fw) (transcript_path g i fw') sw h //.
by case: insubP => [i' _ _|//]; rewrite /at_layer h ?(ltnW (ltn_ord i')) // jw.
Qed.

(* only a trajectory that plays the whole code sees the sign *)
Lemma sign_unseen w w' x o : junk w = junk w' -> digit w = digit w' -> fair w -> fair w' -> (0 < n)%N ->
  (deepest o < n)%N -> deploy_law w x o = deploy_law w' x o.
Proof.
move=> jw dw fw fw' n0 on; apply: eq_bigr => gs _; congr (_ * _%:R); congr nat_of_bool.
have half v v' : junk v = junk v' -> digit v = digit v' -> fair v -> fair v' -> o == seen v gs -> o == seen v' gs.
  move=> jv dv fv fv' /eqP e; rewrite e; apply/eqP/ffunP => k; rewrite !ffunE.
  have no : ~~ shares n (digit v) (gs k).
    apply/negP => s; move: on; rewrite e ltnNge => /negP; apply.
    by rewrite (seen_deep gs fv) //; apply/existsP; exists k.
  apply/ffunP => i; apply: injective_projections.
    by rewrite !ffunE /= /at_layer dv jv.
  rewrite (transcript_path _ i fv) (transcript_path _ i fv') -dv (negPf no).
  by case: insubP => [i' _ _|//]; rewrite /at_layer dv jv.
by apply/idP/idP; apply: half.
Qed.
End Deployments.

Section Locks.
(* d = b + 1 digits *)
Variables (R : realFieldType) (n b N : nat).
Implicit Types (j : code n b.+1) (u : code n b) (x : deployed R n b.+1 N).

(* given the junk j, the digits are uniform on the b others: u counts them *)
Definition digits j u : code n b.+1 := [ffun i => lift (j i) (u i)].
Definition junk_lock j u (q : bool) : lock n b.+1 := Lock (digits j u) j q.

Lemma junk_fair j u q : fair (junk_lock j u q).
Proof. by move=> i _; rewrite /= ffunE neq_lift. Qed.

Lemma digits_agree j m u u' : agree m u u' -> agree m (digits j u) (digits j u').
Proof. by move=> h i im; rewrite !ffunE h. Qed.

Lemma junk_blind j q : blind_behind (fun u x => deploy_law (junk_lock j u q) x) (@deepest n b.+1 N).
Proof.
move=> u u' x o hu; apply: eq_bigr => gs _; congr (_ * _%:R); congr nat_of_bool.
have half v v' : agree (deepest o).+1 v v' -> o == seen (junk_lock j v q) gs -> o == seen (junk_lock j v' q) gs.
  move=> hv /eqP e; rewrite [in X in _ == X](_ : seen (junk_lock j v' q) gs = seen (junk_lock j v q) gs) ?e //.
  apply/ffunP => k; rewrite !ffunE; apply: same_transcript => //; try exact: junk_fair.
  move=> t tn; case: (leqP t (deepest o).+1) => [le|lt].
    by apply/esym/shares_agree; apply: agree_le le _; exact: digits_agree.
  (* nobody plays one digit more *)
  have mn : (deepest o < n)%N by apply: leq_trans tn; exact: ltnW.
  have no : shares (deepest o).+1 (digits j v) (gs k) = false.
    apply/negP => s; have : ((deepest o).+1 <= deepest o)%N.
      rewrite {2}e (seen_deep gs (@junk_fair j v q)) //; by apply/existsP; exists k.
    by rewrite ltnn.
  have no' : shares (deepest o).+1 (digits j v') (gs k) = false.
    by rewrite -no; apply/esym/shares_agree; exact: digits_agree.
  have short c : shares (deepest o).+1 c (gs k) = false -> shares t c (gs k) = false.
    by move=> s; apply/negP => s'; rewrite (shares_le _ s') // in s; exact: ltnW.
  by rewrite /= !short.
apply/idP/idP; apply: half => //; by move=> i im; rewrite hu.
Qed.

Lemma window (c k m M : nat) : (\prod_(i < k) (if (m <= i < M)%N then c else 1) = c ^ (minn k M - m))%N.
Proof.
elim: k => [|k IH]; first by rewrite big_ord0 min0n.
rewrite big_ord_recr /= IH; case: ifP => [/andP[mk kM]|h].
  by rewrite mulnC -expnS; congr (_ ^ _)%N; lia.
by rewrite muln1; congr (_ ^ _)%N; lia.
Qed.

(* given the junk: the digits behind the first m are uniform on b values each *)
Lemma later_count j u g m M : (m <= M <= n)%N ->
  (b ^ (M - m))%:R * (\sum_e (shares M (digits j (mix m u e)) g)%:R) <= (b ^ n)%:R :> R.
Proof.
move=> /andP[mM Mn]; pose F (i : 'I_n) (v : 'I_b) : nat := if (m <= i < M)%N then nat_of_bool (lift (j i) v == g i)
  else 1%N.
rewrite -natr_sum -natrM ler_nat.
apply: (@leq_trans (b ^ (M - m) * \sum_(e : code n b) \prod_i F i (e i))%N).
  rewrite leq_mul2l; apply/orP; right; apply: leq_sum => e _.
  case s: (shares _ _ _) => //; rewrite prodn_gt0 // => i; rewrite /F; case: ifP => // /andP[mi iM].
  by have := implyP (forallP s i) iM; rewrite !ffunE ltnNge mi /= eq_sym => ->.
rewrite -(bigA_distr_bigA F).
have le (i : 'I_n) : (\sum_v F i v <= if (m <= i < M)%N then 1 else b)%N.
  rewrite /F; case: ifP => _; last by rewrite sum1_card card_ord.
  case: (pickP (fun v => lift (j i) v == g i)) => [v0 /eqP h0|none]; last by rewrite big1 // => v _; rewrite none.
  by rewrite (bigD1 v0) //= big1 => [|v vv]; [case: (_ == _)|rewrite -h0 (inj_eq lift_inj) (negPf vv)].
apply: (@leq_trans (b ^ (M - m) * \prod_(i < n) (if (m <= i < M)%N then 1 else b))%N).
  by rewrite leq_mul2l leq_prod ?orbT.
have := window b n m M; rewrite (minn_idPr Mn) => <-;
  rewrite -big_split /= -[X in (_ <= b ^ X)%N](card_ord n) -prod_nat_const.
by apply: leq_prod => i _; case: ifP; rewrite ?muln1 ?mul1n.
Qed.

(* averaged over digits and junk *)
Lemma first_count g M : (M <= n)%N ->
  (b.+1 ^ M)%:R * (\sum_j \sum_u (shares M (digits j u) g)%:R) <= ((b.+1 * b) ^ n)%:R :> R.
Proof.
move=> Mn; pose F (i : 'I_n) (k : 'I_b.+1) (v : 'I_b) : nat := if (0 <= i < M)%N then nat_of_bool (lift k v == g i)
  else 1%N.
under eq_bigr do rewrite -natr_sum; rewrite -natr_sum -natrM ler_nat.
apply: (@leq_trans (b.+1 ^ M * \sum_(j : code n b.+1) \sum_(u : code n b) \prod_i F i (j i) (u i))%N).
  rewrite leq_mul2l; apply/orP; right; apply: leq_sum => j _; apply: leq_sum => u _.
  case s: (shares _ _ _) => //; rewrite prodn_gt0 // => i; rewrite /F; case: ifP => // /andP[_ iM].
  by have := implyP (forallP s i) iM; rewrite !ffunE eq_sym => ->.
under eq_bigr => j _ do rewrite -(bigA_distr_bigA (fun i v => F i (j i) v)).
rewrite -(bigA_distr_bigA (fun i k => (\sum_v F i k v)%N)).
have le (i : 'I_n) : (\sum_k \sum_v F i k v <= if (0 <= i < M)%N then b else b.+1 * b)%N.
  rewrite /F; case: ifP => _; last first.
    by rewrite (eq_bigr (fun=> b)) => [|k _]; rewrite ?sum1_card ?sum_nat_const ?card_ord.
  rewrite (bigD1 (g i)) //= big1 => [|v _]; last by rewrite eq_sym (negPf (neq_lift _ _)).
  rewrite add0n (@leq_trans (\sum_(k | k != g i) 1)) //; last by rewrite sum1_card cardC1 card_ord.
  apply: leq_sum => k _; case: (pickP (fun v => lift k v == g i)) => [v0 /eqP h0|none]; last first.
    by rewrite big1 // => v _; rewrite none.
  by rewrite (bigD1 v0) //= big1 => [|v vv]; [case: (_ == _)|rewrite -h0 (inj_eq lift_inj) (negPf vv)].
apply: (@leq_trans (b.+1 ^ M * \prod_(i < n) (if (0 <= i < M)%N then b else b.+1 * b))%N).
  by rewrite leq_mul2l leq_prod ?orbT.
have := window b.+1 n 0 M; rewrite (minn_idPr Mn) subn0 => <-; rewrite -big_split /= -[X in (_ <= _ ^ X)%N](card_ord n)
  -prod_nat_const.
by apply: leq_prod => i _; case: ifP; rewrite ?mul1n.
Qed.
End Locks.
