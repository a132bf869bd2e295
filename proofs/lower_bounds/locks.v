(* Random locks: how far K deployments of any policies reach, by counting.
   A code has n digits; a deployment yields data o, among them the number
   `matched o` of leading digits that some trajectory got right. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game.

(* a sum over sequences of length k+1, last entry last *)
Lemma sum_tuple_rcons (R : zmodType) (O : finType) k (F : seq O -> R) :
  \sum_(t : k.+1.-tuple O) F t = \sum_(t : k.-tuple O) \sum_(o : O) F (rcons t o).
Proof.
elim: k F => [|k IH] F.
  rewrite sum_tuple_cons exchange_big /=.
  by apply: eq_bigr => t _; rewrite [t]tuple0; apply: eq_bigr.
rewrite sum_tuple_cons.
under eq_bigr => o _ do rewrite (IH (fun t => F (o :: t))).
by rewrite (sum_tuple_cons k (fun t => \sum_o F (rcons t o))).
Qed.

Lemma history_rcons (R : realFieldType) (O : finType) (D X : Type) (law : D -> O -> R)
    (psi : strategy O D X) pre h o :
  history law psi pre (rcons h o) =
  history law psi pre h * law (deploy psi (pre ++ h)) o.
Proof.
elim: h pre => [|o' h IH] pre /=; first by rewrite cats0 mulr1 mul1r.
by rewrite IH mulrA cat_rcons.
Qed.

Section Codes.
Variables (n d : nat).
(* the hidden digits *)
Definition code := {ffun 'I_n -> 'I_d}.
(* the first j digits are the same *)
Definition agree (j : nat) (c c' : code) := forall i : 'I_n, (i < j)%N -> c i = c' i.
(* the first j digits of c, the others of e *)
Definition mix (j : nat) (c e : code) : code := [ffun i : 'I_n => if (i < j)%N then c i else e i].

Lemma mix_agree j c e : agree j (mix j c e) c.
Proof. by move=> i ij; rewrite ffunE ij. Qed.

Lemma agree_le j k c c' : (j <= k)%N -> agree k c c' -> agree j c c'.
Proof. by move=> jk h i ij; apply: h; exact: leq_trans ij jk. Qed.

Lemma mix_mix j c e : mix j (mix j c e) (mix j e c) = c.
Proof. by apply/ffunP => i; rewrite !ffunE; case: (i < j)%N. Qed.

Lemma card_code : #|{: code}| = (d ^ n)%N.
Proof. by rewrite card_ffun !card_ord. Qed.

(* drawing the digits from j on afresh changes no sum over all codes *)
Lemma refresh (R : ringType) j (F : code -> R) :
  \sum_c \sum_e F (mix j c e) = (d ^ n)%:R * (\sum_c F c).
Proof.
have -> : (d ^ n)%:R * (\sum_c F c) = \sum_c \sum_(e : code) F c.
  rewrite mulr_sumr; apply: eq_bigr => c _.
  by rewrite sumr_const card_code mulr_natl.
rewrite !pair_big /= (reindex (fun p : code * code => (mix j p.1 p.2, mix j p.2 p.1))) /=.
  by apply: eq_bigr => -[c e] _ /=; rewrite mix_mix.
exists (fun p : code * code => (mix j p.1 p.2, mix j p.2 p.1)) => -[c e] _ /=;
  by rewrite !mix_mix.
Qed.
End Codes.

Section Reach.
Variables (R : realFieldType) (n d N : nat) (O : finType) (D X : Type).
Variables (law : code n d -> D -> O -> R) (matched : O -> nat).
Implicit Types (psi : strategy O D X) (c e : code n d).

(* data with a matched digits show the first a + 1 digits of the code at most *)
Definition blind_behind := forall c c' x o,
  agree (matched o).+1 c c' -> law c x o = law c' x o.
(* where j digits are known and the others are uniform, one deployment of N
   trajectories matches M digits with probability at most N / d^(M - j) *)
Definition short_reach := forall x c j M, (j <= M <= n)%N ->
  \sum_e \sum_(o | (M <= matched o)%N) law (mix j c e) x o <=
  N%:R * (d ^ n)%:R / (d ^ (M - j))%:R.

(* the probability that the first k deployments match fewer than j digits: the
   complement of the paper's event E_k(j + 1) *)
Definition miss c psi k j : R :=
  \sum_(h : k.-tuple O) history (law c) psi [::] h * (all (fun o => matched o < j)%N h)%:R.

Lemma history_blind c c' psi pre h j : blind_behind -> agree j c c' ->
  all (fun o => matched o < j)%N h -> history (law c) psi pre h = history (law c') psi pre h.
Proof.
move=> hb hc; elim: h pre => //= o h IH pre /andP[oj hj].
by rewrite IH // (hb c c') //; exact: agree_le oj hc.
Qed.

(* [claim-frontier-step], [res-frontier-step-sharp]: added over all codes *)
Theorem frontier_step psi k j M :
  blind_behind -> short_reach -> (forall c x, is_law (law c x)) ->
  (0 < d)%N -> (j <= M <= n)%N ->
  (1 - N%:R / (d ^ (M - j))%:R) * (\sum_c miss c psi k j) <= \sum_c miss c psi k.+1 M.
Proof.
move=> hb hr hl d0 jM; have [j_M M_n] := andP jM.
pose B h := all (fun o => matched o < j)%N h.
pose bad c (h : seq O) := \sum_(o | (M <= matched o)%N) law c (deploy psi h) o.
have dR k' : 0 < (d ^ k')%:R :> R by rewrite ltr0n expn_gt0 d0.
(* what a step loses *)
have lower c : \sum_(h : k.-tuple O) history (law c) psi [::] h * (B h)%:R * (1 - bad c h)
    <= miss c psi k.+1 M.
  rewrite /miss (sum_tuple_rcons k (fun h => history (law c) psi [::] h *
    (all (fun o => matched o < M)%N h)%:R)).
  apply: ler_sum => h _; have h0 := history_ge0 psi [::] h (hl c).
  have -> : 1 - bad c h = \sum_(o | (matched o < M)%N) law c (deploy psi h) o.
    have [_ <-] := hl c (deploy psi h).
    rewrite (bigID (fun o => (M <= matched o)%N)) /= /bad addrC addKr.
    by apply: eq_bigl => o; rewrite ltnNge.
  rewrite mulr_sumr [leRHS](bigID (fun o => (matched o < M)%N)) /=.
  rewrite -[leLHS]addr0; apply: ler_add; last first.
    apply: sumr_ge0 => o _; rewrite mulr_ge0 ?ler0n // history_rcons mulr_ge0 //.
    by case: (hl c (deploy psi h)).
  apply: ler_sum => o oM; rewrite history_rcons all_rcons oM /= mulrAC.
  have l0 : 0 <= history (law c) psi [::] h * law c (deploy psi h) o.
    by rewrite mulr_ge0 //; case: (hl c (deploy psi h)).
  rewrite ler_wpmul2l // ler_nat; case hB: (B h) => //=; rewrite lt0b.
  by apply: sub_all hB => o' h'; exact: leq_trans h' j_M.
(* what is lost on average *)
have lost : \sum_c \sum_(h : k.-tuple O) history (law c) psi [::] h * (B h)%:R * bad c h
    <= N%:R / (d ^ (M - j))%:R * (\sum_c miss c psi k j).
  rewrite /miss exchange_big [leRHS]mulrC [X in X * _]exchange_big /= mulr_suml.
  apply: ler_sum => h _; rewrite -/(B h); case hB: (B h); last first.
    by rewrite !big1 ?mul0r // => c _; rewrite ?mulr0 ?mul0r.
  rewrite -mulr_suml mulr1; under eq_bigr do rewrite mulr1.
  rewrite -(ler_pmul2l (dR n)) -(refresh j (fun c => history (law c) psi [::] h * bad c h)).
  rewrite mulrCA [_ * (N%:R / _)]mulrA (mulrC _ N%:R) mulr_suml.
  apply: ler_sum => c _.
  under eq_bigr => e _ do rewrite (history_blind psi [::] hb (mix_agree c e) hB).
  by rewrite -mulr_sumr ler_wpmul2l ?history_ge0 // hr.
apply: le_trans (ler_sum _ (fun c _ => lower c)).
under [leRHS]eq_bigr do under eq_bigr do rewrite mulrBr mulr1.
under [leRHS]eq_bigr do rewrite sumrB.
rewrite sumrB mulrBl mul1r; apply: ler_sub => //; exact: lexx.
Qed.

Lemma miss0 c psi : miss c psi 0 0 = 1.
Proof.
rewrite /miss (big_pred1 [tuple]) /= ?mulr1 // => t.
by rewrite [t]tuple0; apply/esym/eqP.
Qed.

(* K deployments, each of which gains at most l digits unless it is lucky *)
Theorem survival psi K l :
  blind_behind -> short_reach -> (forall c x, is_law (law c x)) ->
  (0 < d)%N -> (N <= d ^ l)%N -> (K * l <= n)%N ->
  (1 - N%:R / (d ^ l)%:R) ^+ K * (d ^ n)%:R <= \sum_c miss c psi K (K * l).
Proof.
move=> hb hr hl d0 Nl; have dR k' : 0 < (d ^ k')%:R :> R by rewrite ltr0n expn_gt0 d0.
elim: K => [|K IH] Kn.
  by under eq_bigr do rewrite mul0n miss0; rewrite sumr_const card_code expr0 mul1r.
have Kn' : (K * l <= n)%N by apply: leq_trans Kn; rewrite leq_mul2r leqnSn orbT.
have jM : (K * l <= K.+1 * l <= n)%N by rewrite leq_mul2r leqnSn orbT.
apply: le_trans (frontier_step psi K hb hr hl d0 jM).
rewrite mulSn addnK exprS -mulrA ler_wpmul2l ?IH //.
by rewrite subr_ge0 ler_pdivr_mulr // mul1r ler_nat.
Qed.

(* the probability that the output is not good for the code *)
Definition failure (good : code n d -> X -> bool) c psi K : R :=
  \sum_(h : K.-tuple O) history (law c) psi [::] h * (~~ good c (output psi h))%:R.

(* of two codes that differ in the last digit only, an output serves one *)
Definition last_digit_matters (good : code n d -> X -> bool) :=
  forall x c c', agree n.-1 c c' -> good c x -> good c' x -> c = c'.

Lemma count_last (v : 'I_d) (i0 : 'I_n) :
  \sum_(e : code n d) (e i0 == v)%:R = (d ^ n.-1)%:R :> R.
Proof.
pose F (i : 'I_n) (j : 'I_d) : R := if i == i0 then (j == v)%:R else 1.
have e1 : \prod_(i < n) (\sum_(j < d) F i j) = (d ^ n.-1)%:R.
  rewrite (bigD1 i0) //= {1}/F eqxx (bigD1 v) //= eqxx big1 => [|j jv]; last by rewrite (negPf jv).
  rewrite addr0 mul1r (eq_bigr (fun _ => d%:R)) => [|i ii].
    by rewrite prodr_const cardC1 card_ord natrX.
  by rewrite /F (negPf ii) sumr_const card_ord.
rewrite -e1 bigA_distr_bigA /=; apply: eq_bigr => e _.
by rewrite (bigD1 i0) //= /F eqxx big1 ?mulr1 // => i ii; rewrite (negPf ii).
Qed.

(* where the last digit was not seen the output is wrong for all its values but one *)
Lemma failure_after_miss (good : code n d -> X -> bool) psi K m :
  blind_behind -> (forall c x, is_law (law c x)) -> last_digit_matters good ->
  (0 < d)%N -> (0 < n)%N -> (m <= n.-1)%N ->
  (1 - d%:R^-1) * (\sum_c miss c psi K m) <= \sum_c failure good c psi K.
Proof.
move=> hb hl hg d0 n0 mn.
have dR k' : 0 < (d ^ k')%:R :> R by rewrite ltr0n expn_gt0 d0.
have d1 : 0 <= 1 - d%:R^-1 :> R by rewrite subr_ge0 invf_le1 ?ler1n // ltr0n.
rewrite /miss /failure [X in _ * X]exchange_big [leRHS]exchange_big /= mulr_sumr.
apply: ler_sum => h _.
set B := all _ h; have pos c : 0 <= history (law c) psi [::] h by exact: history_ge0.
rewrite -mulr_suml; case hB: B; last by rewrite mulr0 mulr0 sumr_ge0 // => c _; rewrite mulr_ge0 ?ler0n.
rewrite mulr1 -(ler_pmul2l (dR n)) mulrCA.
rewrite -(refresh n.-1 (fun c => history (law c) psi [::] h * (~~ good c (output psi h))%:R)).
have hB' : all (fun o => matched o < n.-1)%N h.
  by apply: sub_all hB => o oK; exact: leq_trans oK mn.
rewrite mulrA mulr_sumr; apply: ler_sum => c _.
under eq_bigr => e _ do rewrite (history_blind psi [::] hb (mix_agree c e) hB').
rewrite -mulr_sumr mulrC ler_wpmul2l //.
have i0 : 'I_n by exact: (Ordinal n0).
have lastP : (n.-1 < n)%N by rewrite prednK.
pose i1 := Ordinal lastP.
have tot : \sum_(e : code n d) 1 = (d ^ n)%:R :> R by rewrite sumr_const card_code.
have -> : (1 - d%:R^-1) * (d ^ n)%:R = (d ^ n)%:R - (d ^ n.-1)%:R :> R.
  rewrite mulrBl mul1r; congr (_ - _); rewrite -{1}(prednK n0) expnS natrM mulKf //.
  by rewrite pnatr_eq0 -lt0n.
rewrite ler_subl_addr.
have bound : \sum_(e : code n d) (good (mix n.-1 c e) (output psi h))%:R <= (d ^ n.-1)%:R :> R.
  case: (pickP (fun e => good (mix n.-1 c e) (output psi h))) => [e0 g0|no]; last first.
    by rewrite big1 ?ler0n // => e _; rewrite no.
  rewrite -(count_last (e0 i1) i1); apply: ler_sum => e _; rewrite ler_nat.
  case g: (good _ _) => //=; rewrite lt0b; apply/eqP.
  have ag : agree n.-1 (mix n.-1 c e) (mix n.-1 c e0).
    by move=> i ij; rewrite !ffunE ij.
  by have /ffunP/(_ i1) := hg _ _ _ ag g g0; rewrite !ffunE ltnn.
apply: le_trans (ler_add (lexx _) bound); rewrite -big_split -tot /=.
by apply: ler_sum => e _; case: (good _ _); rewrite ?addr0 ?add0r.
Qed.

Theorem lock_failure_sum (good : code n d -> X -> bool) psi K l :
  blind_behind -> short_reach -> (forall c x, is_law (law c x)) ->
  last_digit_matters good ->
  (0 < d)%N -> (0 < n)%N -> (N <= d ^ l)%N -> (K * l <= n.-1)%N ->
  (1 - d%:R^-1) * (1 - N%:R / (d ^ l)%:R) ^+ K * (d ^ n)%:R <= \sum_c failure good c psi K.
Proof.
move=> hb hr hl hg d0 n0 Nl Kl.
have Kn : (K * l <= n)%N by apply: leq_trans Kl _; exact: leq_pred.
have := survival psi hb hr hl d0 Nl Kn.
have d1 : 0 <= 1 - d%:R^-1 :> R by rewrite subr_ge0 invf_le1 ?ler1n // ltr0n.
move=> /(ler_wpmul2l d1); rewrite mulrA => h; apply: le_trans h _.
exact: failure_after_miss.
Qed.

(* randomised strategies: a finite mixture with the weights w; on some code the
   mixture fails at least as often as all do on average *)
Theorem lock_failure (W : finType) (w : W -> R) (psi : W -> strategy O D X)
    (good : code n d -> X -> bool) K l :
  is_law w -> blind_behind -> short_reach -> (forall c x, is_law (law c x)) ->
  last_digit_matters good ->
  (0 < d)%N -> (0 < n)%N -> (N <= d ^ l)%N -> (K * l <= n.-1)%N ->
  exists c, (1 - d%:R^-1) * (1 - N%:R / (d ^ l)%:R) ^+ K <=
    \sum_v w v * failure good c (psi v) K.
Proof.
move=> [w0 w1] hb hr hl hg d0 n0 Nl Kl; set p := (_ * _).
have tot : p * (d ^ n)%:R <= \sum_c \sum_v w v * failure good c (psi v) K.
  rewrite exchange_big /= -[leLHS]mul1r.
  have -> : 1 * (p * (d ^ n)%:R) = \sum_v w v * (p * (d ^ n)%:R).
    by rewrite -mulr_suml w1.
  apply: ler_sum => v _; rewrite -mulr_sumr ler_wpmul2l //.
  exact: lock_failure_sum.
case: (pickP (fun c => p <= \sum_v w v * failure good c (psi v) K)) => [c hc|no].
  by exists c.
pose c0 : code n d := [ffun => Ordinal d0].
move: tot; rewrite leNgt => /negP []; rewrite -card_code mulr_natr -sumr_const.
rewrite (bigD1 c0) //= [ltRHS](bigD1 c0) //=; apply: ltr_le_add; first by rewrite ltNge no.
by apply: ler_sum => c _; rewrite leNgt; apply/negP => h; move: (no c); rewrite ltW.
Qed.
End Reach.
