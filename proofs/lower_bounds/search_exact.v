(* The search game with two digits, exactly: search that never repeats a wrong digit at the frontier
   knows after every deployment what revealed search knows. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game locks gate trajectories lock frontier chains search_game.
From derl.probability Require Import finite best_of.

Section Exclusion.
(* locks with n + 1 digits, as in search_game: n of them can be seen to be matched *)
Variables (R : realFieldType) (n d N : nat) (b : R).
(* what one deployment of N trajectories yields *)
Local Notation dat := [finType of data n.+1 d N].
Implicit Types (c : code n.+1 d) (x : deployed R d) (h : seq dat) (k : nat) (a : 'I_d).

(* the action of the trajectory t in layer k *)
Definition played (t : seq (gate.step d)) k : option 'I_d := ohead [seq s.1 | s <- drop k t].
(* some trajectory played a in layer k and stayed at g: a is the digit *)
Definition shown h k a := has (fun o : dat => [exists i, (k < leading (o i))%N && (played (o i) k == Some a)]) h.
(* some trajectory that had matched k digits played a, and left g: a is not the digit *)
Definition excluded h k a := has (fun o : dat => [exists i, (leading (o i) == k) && (played (o i) k == Some a)]) h.
(* where the data match f digits: the f that were shown, then what is not excluded, then everything *)
Definition allowed h k : {set 'I_d} :=
  if (k.+1 < known (@matched n.+1 d N) h)%N then [set a | shown h k a]
  else if k.+1 == known (@matched n.+1 d N) h then [set a | ~~ excluded h k a] else setT.
(* every action of A with the same probability; of all, where A is empty *)
Definition uniform_on (A : {set 'I_d}) a : R := if A == set0 then d%:R^-1 else (a \in A)%:R / #|A|%:R.
(* after the data h: in each layer it plays the allowed actions with the same probability *)
Definition excluding_policy h : policy R d := fun pre _ => uniform_on (allowed h (size pre)).

Hypothesis hb : 0 <= b <= 2%:R^-1.
Hypotheses (d1 : (1 < d)%N) (N0 : (0 < N)%N).

Lemma uniform_on_law A : is_law (uniform_on A).
Proof.
rewrite /is_law /uniform_on; have [A0|A0] := boolP (A == set0); split=> [a|].
- by rewrite invr_ge0 ler0n.
- by rewrite sumr_const card_ord -[LHS]mulr_natl mulfV // pnatr_eq0 gtn_eqF // ltnW.
- by rewrite divr_ge0 ?ler0n.
rewrite -mulr_suml; have -> : \sum_a (a \in A)%:R = #|A|%:R :> R.
  by rewrite -sum1_card natr_sum [RHS]big_mkcond; apply: eq_bigr => a _; case: (a \in A).
by rewrite mulfV // pnatr_eq0 cards_eq0.
Qed.
Lemma excluding_proper h : proper (excluding_policy h).
Proof. by move=> pre s; exact: uniform_on_law. Qed.
(* search with exclusion: what it deploys depends on the data alone *)
Definition excluding_search : strategy dat (deployed R d) unit :=
  Strategy (fun h => @Deployed R d (excluding_policy h) (excluding_proper h)) (fun _ => tt).

Lemma uniform_on1 a0 a : uniform_on [set a0] a = (a0 == a)%:R.
Proof. by rewrite /uniform_on -cards_eq0 cards1 /= divr1 inE eq_sym. Qed.
Lemma uniform_onT a : uniform_on setT a = d%:R^-1.
Proof. by rewrite /uniform_on; case: ifP => // _; rewrite inE cardsT card_ord mul1r. Qed.

(* what a trajectory that can happen tells of the digits *)
Definition tells c (t : seq (gate.step d)) := forall k a, played t k = Some a ->
  ((k < leading t)%N -> hit c k a) /\ (k = leading t -> (k < n)%N -> ~~ hit c k a).

Lemma traj_tells c pi p pre t : traj (lock b c) pi p pre None t != 0 -> forall k a, played t k = Some a ->
  ((k < leading t)%N -> hit c (p + k) a) /\ (k = leading t -> (p + k < n)%N -> ~~ hit c (p + k) a).
Proof.
elim: t p pre => [|[a' s'] t IH] p pre; first by move=> _ k a.
rewrite traj_cons !mulf_eq0 !negb_or => /andP[/andP[_ k0] t0] k a.
case: s' k0 t0 => [y|] k0 t0; case: k => [|k].
- rewrite /played drop0 /= => -[<-]; split=> // _; rewrite addn0 => pn; apply: contra k0 => hh.
  by rewrite /= pn hh.
- by move=> _; split.
- rewrite /played drop0 /= => -[<-]; split=> // _; rewrite addn0.
  by move: k0; rewrite /= pnatr_eq0 eqb0 negbK => /andP[].
rewrite {1}/played /= -/(played t k) => /(IH _ _ t0 k a); rewrite addSnnS => -[h1 h2]; split=> //.
by move=> -[e]; exact: h2.
Qed.

Lemma data_tells c x (o : dat) i : data_law (N := N) (n := n.+1) (lock b c) x o != 0 -> tells c (o i).
Proof.
rewrite /data_law prodf_seq_neq0 => /allP h; have := h i (mem_index_enum i) => /= ti k a.
exact: (traj_tells ti).
Qed.

Lemma history_tells c (psi : strategy dat (deployed R d) unit) pre h : history (fun x : deployed R d => data_law
  (N := N) (n := n.+1) (lock b c) x) psi pre h != 0 -> forall o, o \in h -> forall i, tells c (o i).
Proof.
elim: h pre => [|o h IH] pre //=; rewrite mulf_eq0 negb_or => /andP[o0 h0] o'.
rewrite inE => /orP[/eqP ->|oh] i; [exact: data_tells o0|exact: IH h0 _ oh i].
Qed.

Definition informs c h := forall o, o \in h -> forall i, tells c (o i).

Lemma played_some (t : n.+1.-tuple (gate.step d)) k : (k < n.+1)%N -> exists a, played t k = Some a.
Proof.
move=> kn; rewrite /played; case e : (drop k t) => [|s r]; last by exists s.1.
by have := size_drop k t; rewrite e size_tuple /= => /esym/eqP; rewrite subn_eq0 leqNgt kn.
Qed.
Lemma best (o : dat) : exists i, leading (o i) = matched o.
Proof.
have N1 : (0 < #|'I_N|)%N by rewrite card_ord.
by have [i e] := eq_bigmax (fun i => leading (o i)) N1; exists i; rewrite -e.
Qed.
Lemma known_gt h k : (k < known (@matched n.+1 d N) h)%N -> exists2 o, o \in h & (k <= matched o)%N.
Proof.
rewrite ltnNge -knownP -has_predC => /hasP[o oh]; rewrite /= -leqNgt => ho; by exists o.
Qed.

Lemma allowed_shown c h k (kn : (k < n.+1)%N) : informs c h ->
  (k.+1 < known (@matched n.+1 d N) h)%N -> allowed h k = [set c (Ordinal kn)].
Proof.
move=> inf kk; rewrite /allowed kk; apply/setP => a; rewrite !inE; apply/idP/eqP.
  move=> /hasP[o oh /existsP[i /andP[li /eqP pa]]].
  have [/(_ li)] := inf o oh i k a pa; by rewrite (hit_ord c (Ordinal kn)) => /eqP.
move=> ->; have [o oh ko] := known_gt kk; have [i e] := best o.
apply/hasP; exists o => //; apply/existsP; exists i; rewrite e ko /=.
have [a' pa] := played_some (o i) kn; rewrite pa; apply/eqP; congr Some.
have [] := inf o oh i k a' pa; rewrite e => /(_ ko); by rewrite (hit_ord c (Ordinal kn)) => /eqP.
Qed.

Lemma allowed_frontier c h k (kn : (k < n.+1)%N) : d = 2%N -> informs c h -> (k < n)%N ->
  k.+1 = known (@matched n.+1 d N) h -> allowed h k = [set c (Ordinal kn)].
Proof.
move=> d2 inf k' kk; rewrite /allowed -kk ltnn eqxx; apply/setP => a; rewrite !inE.
have ex a' : excluded h k a' -> a' != c (Ordinal kn).
  move=> /hasP[o oh /existsP[i /andP[/eqP li /eqP pa]]].
  by have [_ /(_ (esym li) k')] := inf o oh i k a' pa; rewrite (hit_ord c (Ordinal kn)) eq_sym.
apply/idP/eqP => [na|->]; last by apply/negP => /ex; rewrite eqxx.
have [o oh ko] : exists2 o, o \in h & matched o = k.
  have [o oh ko] : exists2 o, o \in h & (k <= matched o)%N by apply: known_gt; rewrite -kk.
  exists o => //; apply/eqP; rewrite eqn_leq ko andbT -ltnS kk.
  by move: (leqnn (known (@matched n.+1 d N) h)); rewrite -knownP => /allP /(_ o oh).
have [i e] := best o; have [a' pa] := played_some (o i) kn.
have exa : excluded h k a' by apply/hasP; exists o => //; apply/existsP; exists i; rewrite e ko pa !eqxx.
have ne := ex _ exa.
have naa : a != a' by apply: contra na => /eqP ->.
have lt (z : 'I_d) : (nat_of_ord z < 2)%N by have := ltn_ord z; rewrite [X in (_ < X)%N]d2.
apply: val_inj => /=; move: ne naa (lt a) (lt a') (lt (c (Ordinal kn))).
by rewrite -!(inj_eq val_inj) /=; lia.
Qed.

(* before the last layer it plays as the search that knows the digits up to the frontier *)
Lemma excluding_is_search c h pre : d = 2%N -> informs c h -> (size pre < n)%N ->
  excluding_policy h pre None =1 search_policy R c (known (@matched n.+1 d N) h) pre None.
Proof.
move=> d2 inf sn a; have kn : (size pre < n.+1)%N by exact: leqW.
rewrite /excluding_policy /search_policy (insubT (fun i => i < n.+1)%N kn) /=.
case: (ltngtP (size pre).+1 (known (@matched n.+1 d N) h)) => kk.
- by rewrite (allowed_shown kn inf kk) uniform_on1.
- by rewrite /allowed ltnNge (ltnW kk) /= gtn_eqF // uniform_onT.
by rewrite (allowed_frontier kn d2 inf sn kk) uniform_on1.
Qed.
End Exclusion.

(* [res-search-exact], whole: two values a digit *)
Theorem res_search_exact (R : realFieldType) (n N : nat) (b : R) (hb : 0 <= b <= 2%:R^-1) (K M : nat) :
  (0 < N)%N -> (M <= n)%N -> let exclude := excluding_search R n N (isT : 1 < 2)%N in
  (forall c : code n.+1 2, matches b c exclude K M = reveal (advance R 2 N) K M) /\
  forall (W : finType) (w : W -> R) (psi : W -> strategy [finType of data n.+1 2 N] (deployed R 2) unit), is_law w ->
    \sum_v w v * ((\sum_(c : code n.+1 2) matches b c (psi v) K M) / (2 ^ n.+1)%:R) <=
    (\sum_(c : code n.+1 2) matches b c exclude K M) / (2 ^ n.+1)%:R.
Proof.
move=> N0 Mn exclude.
have exact (c : code n.+1 2) : matches b c exclude K M = reveal (advance R 2 N) K M.
  apply: (search_value hb) => // h h0 pre sn; apply: (excluding_is_search hb) => //.
  exact: history_tells h0.
split=> // W w psi lw; have [le _ _] := res_search_upper hb (isT : 1 < 2)%N psi K lw N0 Mn.
apply: le_trans le _; rewrite (eq_bigr (fun=> reveal (advance R 2 N) K M)) => [|c _]; last exact: exact.
by rewrite sumr_const card_code -[X in _ <= X / _]mulr_natl mulrAC mulfV ?mul1r // pnatr_eq0 expn_eq0.
Qed.

(* control: uniform search that forgets does not attain it, one digit, N = 1, K = 2 *)
Theorem res_search_exact_control : ~ (forall c : code 2 2,
  matches 0 c (Strategy (fun _ : seq [finType of data 2 2 1] => search rat_realFieldType (isT : 1 < 2)%N c 0)
  (fun _ => tt)) 2 1 = reveal (advance rat_realFieldType 2 1) 2 1).
Proof.
pose c : code 2 2 := [ffun=> ord0]; move=> /(_ c).
set psi := Strategy _ _;
  pose L (o : [finType of data 2 2 1]) := data_law (N := 1) (n := 2) (lock (0 : rat_realFieldType) c)
  (search rat_realFieldType (isT : 1 < 2)%N c 0) o.
have half : 0 <= (0 : rat_realFieldType) <= 2%:R^-1 by [].
have L1 : \sum_o L o = 1 by exact: (proj2 (lock_laws 1 half c _)).
have La : \sum_o L o * (1 <= matched o)%N%:R = 2%:R^-1.
  have := @search_tail rat_realFieldType 1 2 1 0 half isT isT c c 0 1; rewrite add0n => /(_ (fun _ _ => erefl) isT).
  rewrite -/L => e; transitivity (advance rat_realFieldType 2 1 1); last by rewrite /advance expn1 expr1; field.
  rewrite -e [RHS]big_mkcond; apply: eq_bigr => o _; case: (0 < matched o)%N; by rewrite ?mulr1 ?mulr0.
have two (F : seq [finType of data 2 2 1] -> rat_realFieldType) : \sum_(h : 2.-tuple _) F h = \sum_o \sum_o' F
  [:: o; o'].
  rewrite sum_tuple_cons; apply: eq_bigr => o _; rewrite (sum_tuple_cons 0 (fun h => F (o :: h))).
  by apply: eq_bigr => o' _; rewrite (big_pred1 [tuple]) // => t; rewrite [t]tuple0; apply/esym/eqP.
rewrite /matches (two (fun h => history _ psi [::] h * (has (fun o => 1 <= matched o)%N h)%:R)).
rewrite (eq_bigr (fun o => L o * (0 < matched o)%N%:R + (L o - L o * (0 < matched o)%N%:R) * 2%:R^-1)) => [|o _].
  rewrite big_split /= -mulr_suml sumrB L1 La big_ord_recl big_ord0 big_ord0 /advance !expn1 !expn0 !expr1.
  set u := (X in X = _); set v := (X in _ = X) => e; have : u - v = 0 by rewrite e subrr.
  have -> : u - v = - 4%:R^-1 by rewrite /u /v; field.
  by move/eqP; rewrite oppr_eq0 invr_eq0 pnatr_eq0.
have [A|A] := boolP (0 < matched o)%N.
  rewrite mulr1 subrr mul0r addr0; transitivity (L o * \sum_o' L o'); last by rewrite L1 mulr1.
  by rewrite mulr_sumr; apply: eq_bigr => o' _; rewrite /= A /= !mulr1.
rewrite mulr0 subr0 add0r -La mulr_sumr; apply: eq_bigr => o' _.
by rewrite /= (negPf A) /= orbF mulr1 -mulrA.
Qed.
