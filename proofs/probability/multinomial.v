(* Counts in place of trajectories: of N independent draws the counts are multinomial, and layer after
   layer the counts of N trajectories of a Markov chain are a Markov chain with multinomial steps. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game.

Section Counts.
Variables (R : realFieldType) (T : finType).
Implicit Types (p : T -> R) (c : T -> nat).
(* the sequence t of draws has the counts c *)
Definition has_counts c (t : seq T) : bool := [forall x, count_mem x t == c x].
(* the probability of a sequence of independent draws from p *)
Definition draws p (t : seq T) : R := \prod_(x <- t) p x.
(* how many sequences of N draws have the counts c *)
Definition arrangements (N : nat) c : nat := #|[pred t : N.-tuple T | has_counts c t]|.
(* the multinomial probability of the counts c *)
Definition multinomial p (N : nat) c : R := (arrangements N c)%:R * \prod_x p x ^+ c x.
(* one draw of x less *)
Definition less c x : T -> nat := fun y => (c y - (x == y))%N.

Lemma draws_counts p t : draws p t = \prod_x p x ^+ count_mem x t.
Proof.
rewrite /draws; elim: t => [|a t IH]; first by rewrite big_nil big1 // => x _; rewrite expr0.
rewrite big_cons IH /=; under [RHS]eq_bigr do rewrite exprD.
rewrite big_split /=; congr (_ * _).
rewrite (bigD1 a) //= eqxx expr1 big1 ?mulr1 // => x; by rewrite eq_sym => /negPf ->; rewrite expr0.
Qed.

(* the counts of N independent draws have the multinomial law *)
Theorem counts_multinomial p N c :
  \sum_(t : N.-tuple T | has_counts c t) draws p t = multinomial p N c.
Proof.
rewrite (eq_bigr (fun=> \prod_x p x ^+ c x)) => [|t /forallP h]; first by rewrite sumr_const -mulr_natl.
by rewrite draws_counts; apply: eq_bigr => x _; rewrite (eqP (h x)).
Qed.

Lemma has_counts_cons c x t : has_counts c (x :: t) = (0 < c x)%N && has_counts (less c x) t.
Proof.
apply/forallP/andP => [h|[cx /forallP h] y].
  split; first by rewrite -(eqP (h x)) /= eqxx.
  by apply/forallP => y; rewrite /less -(eqP (h y)) /= addKn.
rewrite /= (eqP (h y)) /less addnC subnK //.
by case: eqP => // <-.
Qed.

(* the first draw *)
Lemma sum_first p N c :
  \sum_(t : N.+1.-tuple T) (has_counts c t)%:R * (\prod_(x <- t) p x) =
  \sum_x p x * (0 < c x)%N%:R * \sum_(t : N.-tuple T) (has_counts (less c x) t)%:R * \prod_(y <- t) p y.
Proof.
rewrite (sum_tuple_cons N (fun t => (has_counts c t)%:R * (\prod_(x <- t) p x))).
apply: eq_bigr => x _; rewrite mulr_sumr; apply: eq_bigr => t _.
rewrite has_counts_cons big_cons; case: (0 < c x)%N; case: (has_counts _ _) => /=; ring.
Qed.

Lemma multinomialE p N c :
  multinomial p N c = \sum_(t : N.-tuple T) (has_counts c t)%:R * \prod_(x <- t) p x.
Proof.
rewrite -counts_multinomial big_mkcond; apply: eq_bigr => t _; rewrite /draws.
by case: ifP; rewrite ?mul1r ?mul0r.
Qed.

Lemma multinomialS p N c :
  multinomial p N.+1 c = \sum_x p x * (0 < c x)%N%:R * multinomial p N (less c x).
Proof.
rewrite multinomialE (sum_first p N c); apply: eq_bigr => x _.
by rewrite multinomialE.
Qed.
End Counts.

(* the number of arrangements is the multinomial coefficient *)
Theorem arrangements_factorial (T : finType) (N : nat) (c : T -> nat) : (\sum_x c x = N)%N ->
  (arrangements N c * \prod_x (c x)`! = N`!)%N.
Proof.
elim: N c => [|N IH] c hc.
  have c0 x : c x = 0%N by apply/eqP; rewrite -leqn0 -hc (bigD1 x) //= leq_addr.
  rewrite big1 => [|x _]; last by rewrite c0.
  rewrite muln1 /arrangements (eq_card1 (x := [tuple])) // => t; rewrite !inE [t]tuple0 eqxx.
  by apply/forallP => x; rewrite c0.
have e : arrangements N.+1 c = (\sum_x (0 < c x) * arrangements N (less c x))%N.
  have one M b : \sum_(t : M.-tuple T) (has_counts b t)%:R = (arrangements M b)%:R :> int.
    by rewrite /arrangements -sum1_card natr_sum [RHS]big_mkcond; apply: eq_bigr => t _; rewrite inE; case: ifP.
  apply/eqP; rewrite -(eqr_nat [numDomainType of int]) -one (sum_tuple_cons N (fun t => (has_counts c t)%:R)) natr_sum.
  apply/eqP; apply: eq_bigr => x _; rewrite natrM -one mulr_sumr; apply: eq_bigr => t _.
  by rewrite has_counts_cons; case: (0 < c x)%N; case: (has_counts _ _).
rewrite e big_distrl /= factS -hc big_distrl /=; apply: eq_bigr => x _.
case: (posnP (c x)) => [->|cx]; first by rewrite !mul0n.
have hx : (\sum_y less c x y = N)%N.
  apply/eqP; rewrite -eqSS -hc (bigD1 x) //= [X in _ == X](bigD1 x) //= {1}/less eqxx subn1 -addSn prednK // eqn_add2l.
  by apply/eqP/eq_bigr => y; rewrite eq_sym => /negPf yx; rewrite /less yx subn0.
rewrite mul1n -(IH _ hx) mulnCA; congr (_ * _)%N.
rewrite (bigD1 x) //= [in RHS](bigD1 x) //= mulnA; congr (_ * _)%N.
  by rewrite /less eqxx subn1 -{1}(prednK cx) factS prednK.
by apply: eq_bigr => y; rewrite eq_sym => /negPf yx; rewrite /less yx subn0.
Qed.

Section Layers.
Variables (R : realFieldType) (T : finType).
(* the steps of the trajectories that are at s and go to y: how many go from x to z *)
Definition steps_are (c : T -> T -> nat) (s y : seq T) : bool := [forall x, forall z, count_mem (x, z) (zip s y) == c x
  z].
(* P h x z is the probability to go from x to z in layer h (x may be a state, or a state with its action); the
   probability that trajectories which are at s in layer h have the counts cs in the layers from h on *)
Fixpoint trajectories_have (P : nat -> T -> T -> R) h (s : seq T) (cs : seq (T -> T -> nat)) : R :=
  if cs is c :: cs' then
    \sum_(y : (size s).-tuple T | steps_are c s y) (\prod_(e <- zip s y) P h e.1 e.2) * trajectories_have P h.+1 y cs'
  else 1.
(* the same for the chain of counts, from the counts m of the members of T in layer h: what leaves x is
   multinomial, for every x independently, and what arrives is added *)
Fixpoint counts_have (P : nat -> T -> T -> R) h (m : T -> nat) (cs : seq (T -> T -> nat)) : R :=
  if cs is c :: cs' then
    (\prod_x multinomial (P h x) (m x) (c x)) * counts_have P h.+1 (fun z => \sum_x c x z)%N cs'
  else 1.

Let taken (c : T -> T -> nat) x z : T -> T -> nat := fun x' => if x' == x then less (c x) z else c x'.

Lemma steps_cons c x s z y : steps_are c (x :: s) (z :: y) = (0 < c x z)%N && steps_are (taken c x z) s y.
Proof.
have pair x' z' : ((x, z) == (x', z')) = (x' == x) && (z == z') by rewrite xpair_eqE (eq_sym x).
apply/forallP/andP => [h|[cx /forallP h] x'].
  split; first by have /forallP/(_ z) := h x; rewrite /= eqxx => /eqP <-.
  apply/forallP => x'; apply/forallP => z'; have /forallP/(_ z') := h x'; rewrite /= pair /taken /less.
  by move=> /eqP e; apply/eqP; case: eqP e => [->|_] /= <-; rewrite ?addKn.
apply/forallP => z'; have /forallP/(_ z') := h x'; rewrite /= pair /taken /less.
move=> /eqP e; apply/eqP; move: e; case: eqP => [->|_] /= -> //; rewrite addnC subnK //.
by case: eqP => // <-.
Qed.

Lemma one_layer P s (c : T -> T -> nat) :
  \sum_(y : (size s).-tuple T | steps_are c s y) \prod_(e <- zip s y) P e.1 e.2 =
  \prod_x multinomial (P x) (count_mem x s) (c x) :> R.
Proof.
have mk N (s' : seq T) (c' : T -> T -> nat) (F : seq T -> R) :
    \sum_(y : N.-tuple T | steps_are c' s' y) F y = \sum_(y : N.-tuple T) (steps_are c' s' y)%:R * F y.
  by rewrite big_mkcond; apply: eq_bigr => y _; case: ifP; rewrite ?mul1r ?mul0r.
elim: s c => [|x s IH] c; rewrite (mk _ _ _ (fun y => \prod_(e <- zip _ y) P e.1 e.2)).
  rewrite (big_pred1 [tuple]) => [|t] /=; last by rewrite [t]tuple0; apply/esym/eqP.
  rewrite big_nil mulr1.
  have zero (p : T -> R) c' : multinomial p 0 c' = (has_counts c' [::])%:R.
    rewrite multinomialE (big_pred1 [tuple]) => [|t] /=; last by rewrite [t]tuple0; apply/esym/eqP.
    by rewrite big_nil mulr1.
  under eq_bigr do rewrite zero.
  case: (boolP (steps_are c [::] [::])) => [/forallP h|].
    by rewrite big1 // => x _; have -> : has_counts (c x) [::] by exact: h.
  rewrite negb_forall => /existsP [x nx]; rewrite (bigD1 x) //=.
  have /negPf -> : ~~ has_counts (c x) [::] by exact: nx.
  by rewrite mul0r.
rewrite (sum_tuple_cons (size s) (fun y => (steps_are c (x :: s) y)%:R * \prod_(e <- zip (x :: s) y) P e.1 e.2)).
rewrite [RHS](bigD1 x) //= eqxx add1n multinomialS mulr_suml; apply: eq_bigr => z _.
rewrite (eq_bigr (fun t : (size s).-tuple T => P x z * (0 < c x z)%N%:R *
    ((steps_are (taken c x z) s t)%:R * \prod_(e <- zip s t) P e.1 e.2))) => [|t _]; last first.
  by rewrite steps_cons big_cons /=; case: (0 < c x z)%N; case: (steps_are _ _ _) => /=; ring.
rewrite -mulr_sumr -(mk _ _ _ (fun t => \prod_(e <- zip s t) P e.1 e.2)) IH -[RHS]mulrA; congr (_ * _).
rewrite (bigD1 x) //= {1}/taken eqxx; congr (_ * _); apply: eq_bigr => x' nx.
by rewrite /taken (negPf nx) eq_sym (negPf nx).
Qed.

Lemma counts_ext P h m m' cs : m =1 m' -> counts_have P h m cs = counts_have P h m' cs.
Proof.
case: cs => //= c cs e; congr (_ * _); by apply: eq_bigr => x _; rewrite e.
Qed.

Lemma arrived c (s y : seq T) : size y = size s -> steps_are c s y -> forall z, count_mem z y = (\sum_x c x z)%N.
Proof.
move=> e /forallP h z; transitivity (\sum_x count_mem (x, z) (zip s y))%N; last first.
  by apply: eq_bigr => x _; have /forallP/(_ z)/eqP := h x.
elim: s y e {h} => [|x s IH] [|w y] //= e; first by rewrite big1.
case: e => e; rewrite (IH y e) big_split /=; congr (_ + _)%N.
rewrite (bigD1 x) //= big1 => [|x' nx]; first by rewrite xpair_eqE eqxx addn0.
by rewrite xpair_eqE eq_sym (negPf nx).
Qed.

(* the counts of trajectories are the chain of counts: where the trajectories are matters through its counts only *)
Theorem counts_chain P h s cs : trajectories_have P h s cs = counts_have P h (fun x => count_mem x s) cs.
Proof.
elim: cs h s => //= c cs IH h s; rewrite -one_layer mulr_suml; apply: eq_bigr => y hy.
by rewrite IH; congr (_ * _); apply: counts_ext; apply: arrived hy; rewrite size_tuple.
Qed.

(* the law of all counts of N independent trajectories of a Markov chain, in as many layers as cs has: multinomial
   for the first layer, and then multinomial steps *)
Theorem trajectories_multinomial (first : T -> R) P N (m : T -> nat) cs :
  \sum_(s : N.-tuple T | has_counts m s) draws first s * trajectories_have P 0 s cs =
  multinomial first N m * counts_have P 0 m cs.
Proof.
rewrite -counts_multinomial mulr_suml; apply: eq_bigr => s /forallP hs.
by rewrite counts_chain; congr (_ * _); apply: counts_ext => x; exact/eqP.
Qed.
End Layers.

(* control: without the number of arrangements the law of the counts is false: two fair coins, one head *)
Theorem counts_multinomial_control (R : realFieldType) : ~ (forall (T : finType) (p : T -> R) N (c : T -> nat),
  \sum_(t : N.-tuple T | has_counts c t) draws p t = \prod_x p x ^+ c x).
Proof.
move=> h; have := h bool_finType (fun=> 1) 2%N (fun=> 1%N); rewrite counts_multinomial /multinomial.
have := @arrangements_factorial bool_finType 2 (fun=> 1%N); rewrite !big_bool /= => /(_ erefl).
rewrite !muln1 => ->; rewrite !expr1n !mulr1 => /eqP; by rewrite (eqr_nat R 2 1).
Qed.
