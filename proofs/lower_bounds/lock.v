(* The combination lock as an explicit Markov decision process, and the lower
   bound for policies of any kind. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game locks gate trajectories.

Section Lock.
Variables (R : realFieldType) (n d : nat) (b : R).
Implicit Types (c e : code n d) (pi : policy R d).

(* a is the digit of layer h *)
Definition hit c (h : nat) (a : 'I_d) : bool := [exists i : 'I_n, (val i == h) && (c i == a)].

(* The lock with the digits c: in layer h < n - 1 the right digit stays at g; in
   layer n - 1 the right digit is biased by b; everything else is a fair exit. *)
Definition lock c : instance R d :=
  Instance (fun h a => (h < n.-1)%N && hit c h a)
           (fun h a => if (h == n.-1) && hit c h a then b else 0).

Lemma lock_mild c : 0 <= b <= 2%:R^-1 -> mild (lock c).
Proof.
move=> /andP[b0 b1] h a /=; case: ifP => _; first by rewrite ger0_norm.
by rewrite normr0 invr_ge0 ler0n.
Qed.

Lemma hit_agree j c c' h a : agree j c c' -> (h < j)%N -> hit c h a = hit c' h a.
Proof.
move=> hc hj; apply: eq_existsb => i; case: eqP => //= e.
by rewrite hc // e.
Qed.

Lemma traj_cons (M : instance R d) pi h pre s a s' t :
  traj M pi h pre s ((a, s') :: t) =
  pi pre s a * kernel M h s a s' * traj M pi h.+1 (rcons pre (a, s')) s' t.
Proof. by []. Qed.

Lemma traj_blind pi j c c' h pre t : agree j c c' -> (h + leading t < j)%N ->
  traj (lock c) pi h pre None t = traj (lock c') pi h pre None t.
Proof.
elim: t h pre => [|[a s'] t IH] h pre // hc; rewrite !traj_cons.
have kE : (h < j)%N -> kernel (lock c) h None a s' = kernel (lock c') h None a s'.
  by move=> hj; case: s' => [x|] /=; rewrite (hit_agree _ hc hj).
move: kE; move: (kernel (lock c) h None a s') (kernel (lock c') h None a s') => u v uv.
case: s' => [x|] /= hj.
  by rewrite addn0 in hj; rewrite uv // (traj_end _ (lock c')).
rewrite addnS in hj.
by rewrite uv ?(leq_ltn_trans (leq_addr _ _) (ltnW hj)) // IH // addSn.
Qed.

(* a fresh digit *)
Definition upd e (i : 'I_n) (v : 'I_d) : code n d := [ffun k => if k == i then v else e k].

Lemma upd_sum (F : code n d -> R) i :
  \sum_e \sum_v F (upd e i v) = d%:R * (\sum_e F e).
Proof.
have -> : d%:R * (\sum_e F e) = \sum_e \sum_(v : 'I_d) F e.
  by rewrite mulr_sumr; apply: eq_bigr => e _; rewrite sumr_const card_ord mulr_natl.
rewrite !pair_big /= (reindex (fun p : code n d * 'I_d => (upd p.1 i p.2, p.1 i))) /=.
  apply: eq_bigr => -[e v] _ /=; congr (F _); apply/ffunP => k; rewrite !ffunE.
  by case: eqP => // ->.
exists (fun p : code n d * 'I_d => (upd p.1 i p.2, p.1 i)) => -[e v] _ /=;
  rewrite ffunE eqxx; congr (_, _); apply/ffunP => k; rewrite !ffunE; by case: eqP => // ->.
Qed.

Lemma hit_ord c (i : 'I_n) a : hit c i a = (c i == a).
Proof.
apply/existsP/idP => [[k /andP[/eqP/val_inj -> //]]|ca].
by exists i; rewrite eqxx.
Qed.

(* digits from h + 1 on alone matter from layer h + 1 on *)
Lemma staying_upd pi c e j (i : 'I_n) v h pre k : (i < h)%N ->
  staying (lock (mix j c (upd e i v))) pi h pre k = staying (lock (mix j c e)) pi h pre k.
Proof.
elim: k h pre => [|k IH] h pre ih //=; apply: eq_bigr => a _.
rewrite IH ?(ltn_trans ih) //; congr (_ * (_%:R * _)); congr nat_of_bool; congr (_ && _).
apply: eq_existsb => l; case: eqP => //= lh; rewrite !ffunE.
have -> : (l == i) = false by apply/eqP => li; move: ih; rewrite ltn_neqAle => /andP[/eqP []]; rewrite -lh li.
by case: ifP.
Qed.

Lemma stayingS (M : instance R d) pi h pre k : staying M pi h pre k.+1 =
  \sum_a pi pre None a * ((stays M h a)%:R * staying M pi h.+1 (rcons pre (a, None)) k).
Proof. by []. Qed.

(* k digits of which those from j on are uniform *)
Lemma staying_reach pi c j k h pre : proper pi -> (0 < d)%N ->
  (d ^ (h + k - maxn j h))%:R * (\sum_e staying (lock (mix j c e)) pi h pre k) <= (d ^ n)%:R :> R.
Proof.
move=> hp d0; elim: k h pre => [|k IH] h pre.
  have -> : (h + 0 - maxn j h = 0)%N by rewrite addn0; apply/eqP; rewrite subn_eq0 leq_maxr.
  by rewrite expn0 mul1r /= sumr_const card_code.
under eq_bigr do rewrite stayingS.
pose S e a := staying (lock (mix j c e)) pi h.+1 (rcons pre (a, None)) k.
rewrite exchange_big; under eq_bigr do rewrite -mulr_sumr.
rewrite mulr_sumr.
have [p0 p1] := hp pre None.
have -> : (d ^ n)%:R = \sum_a pi pre None a * (d ^ n)%:R :> R by rewrite -mulr_suml p1 mul1r.
apply: ler_sum => a _.
rewrite mulrCA ler_wpmul2l //.
have IHa := IH h.+1 (rcons pre (a, None)).
have S0 e : 0 <= S e a.
  rewrite /S; elim: (k) (h.+1) (rcons pre _) => [|k' IHk] h' pre' /=; first exact: ler01.
  by apply: sumr_ge0 => a' _; rewrite !mulr_ge0 ?ler0n //; case: (hp pre' None).
case hj: (h < j)%N.
  (* a known digit *)
  have -> : (h + k.+1 - maxn j h = h.+1 + k - maxn j h.+1)%N.
    by rewrite addnS addSn (maxn_idPl (ltnW hj)) (maxn_idPl hj).
  apply: le_trans IHa; rewrite ler_wpmul2l ?ler0n //; apply: ler_sum => e _.
  by apply: ler_pimull; [exact: S0|rewrite lern1 leq_b1].
(* a fresh digit *)
move/negbT: hj; rewrite -leqNgt => hj.
have e1 : (h + k.+1 - maxn j h = (h.+1 + k - maxn j h.+1).+1)%N.
  by rewrite (maxn_idPr hj) (maxn_idPr (leqW hj)) addKn addKn.
case: (ltnP h n) => hn; last first.
  (* no digit left *)
  rewrite big1 ?mulr0 ?ler0n // => e _.
  rewrite /=; have -> : hit (mix j c e) h a = false.
    apply/existsP => -[i /andP[/eqP ih _]].
    by have := ltn_ord i; rewrite -[nat_of_ord i]/(val i) ih ltnNge hn.
  by rewrite andbF mul0r.
pose i := Ordinal hn.
have hitE e : hit (mix j c e) h a = (e i == a).
  by rewrite (hit_ord _ i) ffunE ltnNge hj.
apply: le_trans IHa; rewrite e1 expnS natrM -mulrA mulrCA ler_wpmul2l ?ler0n //.
apply: (@le_trans _ _ (d%:R * (\sum_(e : code n d) (e i == a)%:R * S e a) : R)).
  rewrite ler_wpmul2l ?ler0n //; apply: ler_sum => e _; rewrite /= hitE.
  by apply: ler_wpmul2r; [exact: S0|rewrite ler_nat; case: (h < n.-1)%N => //=; case: (e i == a)].
rewrite -(upd_sum (fun e => (e i == a)%:R * S e a) i); apply: ler_sum => e _.
under eq_bigr => v _.
  rewrite /S staying_upd //.
  over.
rewrite -mulr_suml.
rewrite (bigD1 a) //= ffunE !eqxx big1 ?addr0 ?mul1r // => v va.
by rewrite ffunE eqxx (negPf va).
Qed.

End Lock.

Section LowerBound.
Variables (R : realFieldType) (n d N : nat) (b : R).

(* what is deployed: any policy with proper probabilities *)
Record deployed := Deployed { pol :> policy R d; pol_proper : proper pol }.

Lemma lock_blind : 0 <= b <= 2%:R^-1 ->
  blind_behind (fun (c : code n d) (x : deployed) => data_law (N := N) (lock b c) x) (@matched n d N).
Proof.
move=> hb c c' x o hc; rewrite /data_law; apply: eq_bigr => i _.
apply: (traj_blind _ _ _ hc); rewrite add0n ltnS /matched.
exact: (leq_bigmax i).
Qed.

Lemma lock_reach : 0 <= b <= 2%:R^-1 -> (0 < d)%N -> (0 < N)%N ->
  short_reach N (fun (c : code n d) (x : deployed) => data_law (N := N) (lock b c) x) (@matched n d N).
Proof.
move=> hb d0 N0 x c j M /andP[jM Mn].
have dR k' : 0 < (d ^ k')%:R :> R by rewrite ltr0n expn_gt0 d0.
case: (posnP M) => [M0|M0].
  move: jM; rewrite M0 leqn0 => /eqP ->; rewrite subnn expn0 divr1.
  apply: (@le_trans _ _ (\sum_(e : code n d) 1)).
    apply: ler_sum => e _; under eq_bigl do rewrite leq0n.
    by rewrite (proj2 (data_law_law n N (lock_mild _ hb) (pol_proper x))).
  by rewrite sumr_const card_code ler_pemull ?ler0n // ler1n.
apply: (@le_trans _ _ (\sum_(e : code n d) N%:R * staying (lock b (mix j c e)) x 0 [::] M)).
  by apply: ler_sum => e _; apply: reach_union => //; [exact: lock_mild|exact: pol_proper].
rewrite -mulr_sumr -mulrA ler_wpmul2l ?ler0n // ler_pdivl_mulr // mulrC.
have := staying_reach b c j M 0 [::] (pol_proper x) d0.
by rewrite add0n maxn0.
Qed.

(* the output is epsilon-optimal: its value is at least the best value, n/2 + b,
   minus epsilon *)
Definition good_output (eps : R) (c : code n d) (x : deployed) : bool :=
  n%:R / 2%:R + b - eps <= J n (lock b c) x.

(* the probability of playing all digits *)
Fixpoint plays_code (c : code n d) (pi : policy R d) h pre k : R :=
  if k is k'.+1 then
    \sum_a pi pre None a * ((hit c h a)%:R * plays_code c pi h.+1 (rcons pre (a, None)) k')
  else 1.
(* the probability that one trajectory of pi plays all n digits *)
Definition q (c : code n d) (pi : policy R d) : R := plays_code c pi 0 [::] n.

Lemma exit_lock c pi h pre k : (h + k)%N = n -> (0 < k)%N ->
  exit_bias (lock b c) pi h pre k = b * plays_code c pi h pre k.
Proof.
elim: k h pre => // k IH h pre hk _; rewrite [LHS]/= [X in _ = _ * X]/= mulr_sumr.
apply: eq_bigr => a _; rewrite [RHS]mulrCA; congr (_ * _).
case: (posnP k) => [k0|k0].
  have hn : h = n.-1 by rewrite -hk k0 addn1.
  rewrite hn ltnn /= eqxx /= k0 /= mulr1; by case: (hit _ _ _); rewrite ?mulr1 ?mulr0.
have hn : (h < n.-1)%N by rewrite -hk addnS /= -[X in (X < _)%N]addn0 ltn_add2l.
rewrite hn /= IH ?addSnnS // (ltn_eqF hn) /=; case: (hit _ _ _); rewrite ?mul1r ?mul0r ?mulr0 //.
Qed.

(* [res-lock], the values: every policy is worth n/2 + b q *)
Theorem lock_value c (pi : policy R d) : (0 < n)%N -> proper pi ->
  J n (lock b c) pi = n%:R / 2%:R + b * q c pi.
Proof. by move=> n0 hp; rewrite gate_value // exit_lock. Qed.

Lemma plays_ge0 c pi h pre k : proper pi -> 0 <= plays_code c pi h pre k.
Proof.
move=> hp; elim: k h pre => [|k IH] h pre; first exact: ler01.
by apply: sumr_ge0 => a _; rewrite !mulr_ge0 ?ler0n //; case: (hp pre None).
Qed.

Lemma plays_le1 c pi h pre k : proper pi -> plays_code c pi h pre k <= 1.
Proof.
move=> hp; elim: k h pre => [|k IH] h pre; first exact: lexx.
rewrite /= -[leRHS](proj2 (hp pre None)); apply: ler_sum => a _.
apply: ler_pimulr; first exact: (proj1 (hp pre None)).
by case: (hit c h a); rewrite ?mul1r ?mul0r ?ler01 ?IH.
Qed.

(* codes that differ in the last digit only share the probability of one path *)
Lemma plays_two c c' pi h pre k : proper pi -> agree n.-1 c c' -> c != c' ->
  (h + k)%N = n -> (0 < k)%N ->
  plays_code c pi h pre k + plays_code c' pi h pre k <= 1.
Proof.
move=> hp hc cc; elim: k h pre => // k IH h pre hk _.
rewrite -[leRHS](proj2 (hp pre None)) /= -big_split /=; apply: ler_sum => a _.
have p0 := proj1 (hp pre None) a.
rewrite -mulrDr; apply: ler_pimulr => //; case: (posnP k) => [k0|k0].
  rewrite k0 /= !mulr1 -natrD lern1.
  have hn : h = n.-1 by rewrite -hk k0 addn1.
  have n0 : (n.-1 < n)%N by rewrite -hk addnS.
  rewrite hn !(hit_ord _ (Ordinal n0)).
  case: eqP => //= e1; case: eqP => //= e2; case/eqP: cc; apply/ffunP => i.
  case: (ltnP i n.-1) => [/hc //|ni].
  have -> : i = Ordinal n0 by apply/val_inj/eqP; rewrite eqn_leq /= ni andbT -ltnS prednK ?ltn_ord // -hk addnS.
  by rewrite e1 e2.
have hn : (h < n.-1)%N by rewrite -hk addnS /= -[X in (X < _)%N]addn0 ltn_add2l.
rewrite (hit_agree _ hc hn); case: (hit c' h a); rewrite ?mul1r ?mul0r ?addr0 ?ler01 //.
by rewrite IH ?addSnnS.
Qed.

Lemma lock_last eps : (0 < n)%N -> 2%:R * eps < b -> 0 < b ->
  last_digit_matters (good_output eps).
Proof.
move=> n0 eb b0 x c c' hc; rewrite /good_output !lock_value //; try exact: pol_proper.
move=> h1 h2; apply/eqP; apply: contraT => cc.
have := plays_two [::] (pol_proper x) hc cc (add0n n) n0; rewrite -/(q c x) -/(q c' x) => h3.
have h4 : b * (q c x + q c' x) <= b by rewrite -[leRHS]mulr1 ler_wpmul2l ?(ltW b0).
have := ler_add h1 h2; rewrite leNgt => /negP []; rewrite -subr_gt0.
have -> : n%:R / 2%:R + b - eps + (n%:R / 2%:R + b - eps) -
  (n%:R / 2%:R + b * q c x + (n%:R / 2%:R + b * q c' x)) =
  (b - 2%:R * eps) + (b - b * (q c x + q c' x)) by ring.
by apply: ltr_spaddl; rewrite ?subr_gt0 ?subr_ge0.
Qed.

(* [thm-lower-arbitrary-repaired], over every ordered field: with N <= d^l and
   K l <= n - 1 every strategy, randomised ones included, that deploys any
   policies K times fails on some lock with probability at least
   (1 - 1/d) (1 - N/d^l)^K. *)
Theorem lower_arbitrary (W : finType) (w : W -> R)
    (psi : W -> strategy [finType of data n d N] deployed deployed) eps K l :
  is_law w -> (0 < d)%N -> (0 < n)%N -> (0 < N)%N -> (N <= d ^ l)%N -> (K * l <= n.-1)%N ->
  2%:R * eps < b -> 0 < b <= 2%:R^-1 ->
  exists c : code n d, (1 - d%:R^-1) * (1 - N%:R / (d ^ l)%:R) ^+ K <=
    \sum_v w v * failure (fun (c : code n d) (x : deployed) => data_law (N := N) (lock b c) x) (good_output eps) c
    (psi v) K.
Proof.
move=> hw d0 n0 N0 Nl Kl eb /andP[b0 b1].
have hb : 0 <= b <= 2%:R^-1 by rewrite (ltW b0) b1.
apply: (lock_failure _ hw (lock_blind hb) (lock_reach hb d0 N0)) => //.
  by move=> c x; apply: data_law_law; [exact: lock_mild|exact: pol_proper].
exact: lock_last.
Qed.

End LowerBound.
