(* A chain that bounds how many digits any algorithm matches, if one deployment matches a further digits with
   probability A a at most: the digit at the frontier is revealed after each deployment. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game locks frontier.

Section Chain.
Variables (R : realFieldType) (A : nat -> R).

(* the Markov chain: the probability that within k deployments x more digits are matched.  A deployment
   advances by exactly a < x digits with probability A a - A (a + 1); then the digit
   behind them is revealed, and x - a - 1 are left. *)
Fixpoint reveal (k x : nat) : R :=
  if k is k'.+1 then \sum_(a < x) (A a - A a.+1) * reveal k' (x - a.+1) + A x else 0.
(* the same by what is not known yet: y = 0 if x digits were matched already *)
Definition lacking (k y : nat) : R := if y is x.+1 then reveal k x else 1.

Hypotheses (A0 : A 0%N = 1) (A_falls : forall a, A a.+1 <= A a) (A_ge0 : forall a, 0 <= A a).

Lemma abel (f g : nat -> R) x : \sum_(a < x.+1) (f a.+1 - f a) * g a =
  f x.+1 * g x - f 0%N * g 0%N + \sum_(a < x) (g a - g a.+1) * f a.+1.
Proof.
elim: x => [|x IH]; first by rewrite big_ord_recl !big_ord0 /= /bump /=; ring.
by rewrite big_ord_recr IH [in RHS]big_ord_recr /=; ring.
Qed.

Lemma revealS k x : lacking k.+1 x.+1 =
  lacking k x.+1 + \sum_(a < x.+1) (lacking k (x.+1 - a.+1) - lacking k (x.+1 - a)) * A a.
Proof.
rewrite (abel (fun a => lacking k (x.+1 - a)) A) subnn subn0 A0 mulr1 mul1r.
rewrite addrA addrCA subrr addr0 addrC /=; congr (_ + _); apply: eq_bigr => a _.
by rewrite subSS -[(x - a)%N]subnSK.
Qed.

Lemma lacking_mono k y : 0 <= lacking k y.+1 <= lacking k y.
Proof.
suff h : forall x, 0 <= lacking k x.+1 /\ lacking k x.+1 <= lacking k x by have [-> ->] := h y.
elim: k {y} => [|k IH] x; first by split=> //; case: x => //=; exact: ler01.
have nn z : 0 <= lacking k z by case: z => [|z]; [exact: ler01|case: (IH z)].
have dA a : 0 <= A a - A a.+1 by rewrite subr_ge0 A_falls.
split.
  rewrite /= addr_ge0 ?A_ge0 //; apply: sumr_ge0 => a _; rewrite mulr_ge0 //; exact: (nn (x - a.+1).+1).
case: x => [|x].
  by rewrite /= big_ord0 add0r A0.
rewrite /= big_ord_recr /= subnn -subr_ge0.
have -> : \sum_(a < x) (A a - A a.+1) * reveal k (x - a.+1) + A x -
   (\sum_(a < x) (A a - A a.+1) * reveal k (x.+1 - a.+1) + (A x - A x.+1) * reveal k 0 + A x.+1) =
   \sum_(a < x) (A a - A a.+1) * (reveal k (x - a.+1) - reveal k (x.+1 - a.+1)) +
   (A x - A x.+1) * (1 - reveal k 0).
  rewrite [in RHS](eq_bigr (fun a : 'I_x => (A a - A a.+1) * reveal k (x - a.+1) - (A a - A a.+1) * reveal k
    (x.+1 - a.+1))) => [|a _]; last exact: mulrBr.
  rewrite sumrB; move: (\sum_(a < x) _) (\sum_(a < x) _) (A _) (A _) (reveal _ _) => u v p q r; ring.
rewrite addr_ge0 //; last by rewrite mulr_ge0 // subr_ge0; case: (IH 0%N).
apply: sumr_ge0 => a _; rewrite mulr_ge0 // subr_ge0 subSS.
have := proj2 (IH (x - a.+1).+1); by rewrite /= subnSK.
Qed.

Lemma telescope (f : nat -> R) s x : \sum_(a < x) (f a.+1 - f a) * (a < s)%N%:R = f (minn s x) - f 0%N.
Proof.
elim: x => [|x IH]; first by rewrite big_ord0 minn0 subrr.
rewrite big_ord_recr IH /=; have [xs|xs] : (x < s)%N \/ (s <= x)%N by case: (ltnP x s); [left|right].
  by rewrite xs (minn_idPr (ltnW xs)) (minn_idPr xs) mulr1 addrC addrA subrK.
by rewrite [(x < s)%N]ltnNge xs (minn_idPl xs) (minn_idPl (leqW xs)) mulr0 addr0.
Qed.

(* the value after one more deployment that matches m digits, where j are known *)
Lemma lacking_after k j M m : (j <= M)%N ->
  lacking k (M.+1 - maxn j m.+1) = lacking k (M - j).+1 +
    \sum_(a < (M - j).+1) (lacking k ((M - j).+1 - a.+1) - lacking k ((M - j).+1 - a)) * (j + a <= m)%N%:R.
Proof.
move=> jM; have := telescope (fun a => lacking k ((M - j).+1 - a)) (m.+1 - j) (M - j).+1.
rewrite subn0 => e;
  rewrite (eq_bigr (fun a : 'I_(M - j).+1 => (lacking k ((M - j).+1 - a.+1) - lacking k ((M - j).+1 - a))
  * (a < m.+1 - j)%N%:R)) => [|a _].
  by rewrite e addrCA subrr addr0; congr (lacking _ _); lia.
by rewrite ltn_subRL ltnS.
Qed.
End Chain.

Section Search.
Variables (R : realFieldType) (A : nat -> R) (n d : nat) (O : finType) (D X : Type).
Variables (law : code n d -> D -> O -> R) (matched : O -> nat).
Hypothesis blind : blind_behind law matched.
Hypothesis laws : forall c x, is_law (law c x).
Hypotheses (d0 : (0 < d)%N) (A0 : A 0%N = 1) (A_falls : forall a, A a.+1 <= A a) (A_ge0 : forall a, 0 <= A a).
Variable top : nat.
Hypothesis reach : forall x c j M, (j <= M <= top)%N ->
  \sum_e \sum_(o | (M <= matched o)%N) law (mix j c e) x o <= (d ^ n)%:R * A (M - j).

Local Notation known := (known matched).

(* one deployment *)
Lemma value_step (L : O -> R) (S : R) (T : nat -> R) k j M : (j <= M)%N ->
  \sum_o L o = S -> (forall a, (a <= M - j)%N -> \sum_(o | (j + a <= matched o)%N) L o = T a) ->
  \sum_o L o * lacking A k (M.+1 - maxn j (matched o).+1) =
  S * lacking A k (M - j).+1 +
  \sum_(a < (M - j).+1) (lacking A k ((M - j).+1 - a.+1) - lacking A k ((M - j).+1 - a)) * T a.
Proof.
move=> jM <- hT; under eq_bigr do rewrite lacking_after // mulrDr.
rewrite big_split /= mulr_suml; congr (_ + _).
under eq_bigr do rewrite mulr_sumr.
rewrite exchange_big; apply: eq_bigr => a _ /=; rewrite -hT; last by rewrite -ltnS.
rewrite mulr_sumr [RHS]big_mkcond; apply: eq_bigr => o _.
by case: (j + a <= _)%N; rewrite ?mulr1 ?mulr0 // mulrC.
Qed.

Lemma total_step (psi : strategy O D X) k i M : (M <= top)%N ->
  total law matched psi k.+1 (fun j => lacking A i (M.+1 - j)) <=
  total law matched psi k (fun j => lacking A i.+1 (M.+1 - j)).
Proof.
move=> Mt; have dR e : 0 < (d ^ e)%:R :> R by rewrite ltr0n expn_gt0 d0.
rewrite /total (sum_tuple_rcons k (fun h => lacking A i (M.+1 - known h) * \sum_c history (law c) psi [::] h)).
apply: ler_sum => h _; set j := known h.
have H0 c : 0 <= history (law c) psi [::] h by exact: history_ge0.
pose L o := \sum_c history (law c) psi [::] (rcons h o).
pose S := \sum_c history (law c) psi [::] h.
have LS : \sum_o L o = S.
  rewrite exchange_big; apply: eq_bigr => c _; under eq_bigr do rewrite history_rcons.
  by rewrite -mulr_sumr (proj2 (laws c _)) mulr1.
rewrite (eq_bigr (fun o => L o * lacking A i (M.+1 - maxn j (matched o).+1))) => [|o _]; last first.
  by rewrite known_rcons mulrC.
case: (leqP j M) => jM; last first.
  have -> : (M.+1 - j = 0)%N by apply/eqP; rewrite subn_eq0.
  rewrite -/S -LS mul1r le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => o _.
  have -> : (M.+1 - maxn j (matched o).+1 = 0)%N by apply/eqP; rewrite subn_eq0 leq_max jM.
  by rewrite mulr1.
rewrite (value_step i jM LS (T := fun a => \sum_(o | (j + a <= matched o)%N) L o)) //.
rewrite -/S subSn // revealS // [leRHS]mulrC mulrDr ler_add2l mulr_sumr.
apply: ler_sum => a _; rewrite mulrCA ler_wpmul2l //.
  rewrite subr_ge0 subSn; last by rewrite -ltnS.
  by rewrite subSS; case/andP: (lacking_mono A0 A_falls A_ge0 i (M - j - a)).
(* what is seen depends on the first j digits only *)
have hB : all (fun o => matched o < j)%N h by rewrite knownP.
have -> : \sum_(o | (j + a <= matched o)%N) L o = \sum_c history (law c) psi [::] h * \sum_(o | (j + a <= matched o)%N)
  law c (deploy psi h) o.
  rewrite exchange_big; apply: eq_bigr => c _; rewrite mulr_sumr; apply: eq_bigr => o _; exact: history_rcons.
rewrite -(ler_pmul2l (dR n)) -(refresh j (fun c => history (law c) psi [::] h * \sum_(o | (j + a <= matched o)%N) law c
  (deploy psi h) o)).
rewrite mulrA [X in X * _]mulrC -mulrA mulr_suml; apply: ler_sum => c _.
under eq_bigr => e _ do rewrite (history_blind psi [::] blind (mix_agree c e) hB).
rewrite -mulr_sumr ler_wpmul2l //.
have aM : (j <= j + a <= top)%N.
  rewrite leq_addr /=; apply: leq_trans Mt; rewrite -leq_subRL // -ltnS; exact: ltn_ord.
by have := reach (deploy psi h) c aM; rewrite addKn.
Qed.

Lemma total_reveal (psi : strategy O D X) K M : (M <= top)%N ->
  total law matched psi K (fun j => lacking A 0 (M.+1 - j)) <= (d ^ n)%:R * reveal A K M.
Proof.
move=> Mt; suff h i : total law matched psi K (fun j => lacking A i (M.+1 - j)) <=
    total law matched psi 0 (fun j => lacking A (K + i) (M.+1 - j)).
  apply: le_trans (h 0%N) _; rewrite addn0 /total (big_pred1 [tuple]) => [|t]; last by rewrite [t]tuple0;
    apply/esym/eqP.
  by rewrite /known /= big_nil subn0 sumr_const card_code mulrC.
elim: K i => [|K IH] i; first by rewrite add0n.
by apply: le_trans (total_step psi K i Mt) _; rewrite addSnnS.
Qed.
End Search.

Lemma has_known (R : realFieldType) (A : nat -> R) (O : finType) (matched : O -> nat) (h : seq O) M :
  (has (fun o => M <= matched o)%N h)%:R = lacking A 0 (M.+1 - known matched h).
Proof.
have -> : has (fun o => M <= matched o)%N h = (M < known matched h)%N.
  by rewrite ltnNge -knownP -has_predC; apply: eq_has => o /=; rewrite -leqNgt.
case: ltnP => Mk; first by rewrite (_ : (M.+1 - _ = 0)%N) //; apply/eqP; rewrite subn_eq0.
by rewrite subSn.
Qed.
