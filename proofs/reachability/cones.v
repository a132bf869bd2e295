(* Certificates of reachability coefficients that cover all directions by cones: a model with exact
   rational data, and a checker in whole numbers whose verdict is proved right over every ordered field. *)
From Coq Require Import ZArith.
From derl.common Require Import prelude.
From mathcomp Require Import ssrZ.
From derl.lower_bounds Require Import game.
From derl.common Require Import forms.

(* the layer h of an MDP and what leads to it, in whole numbers over a scale each: the features of every
   state and action, the transition probabilities of the layers before h, the initial law *)
Record model := Model {
  states : nat; actions : nat; dim : nat;
  features : seq (seq (seq Z)); feature_scale : Z;
  steps : seq (seq (seq (seq Z))); scales : seq Z;
  initial : seq Z; initial_scale : Z }.

(* entries of nested lists *)
Definition at1 (l : seq Z) i : Z := nth Z0 l i.
(* entry (i, j) of a table *)
Definition at2 (l : seq (seq Z)) i j : Z := at1 (nth [::] l i) j.
(* entry (i, j, k) of a table of tables *)
Definition at3 (l : seq (seq (seq Z))) i j k : Z := at2 (nth [::] l i) j k.

(* a whole number in the field *)
Definition number (R : realFieldType) (z : Z) : R := (int_of_Z z)%:~R.

Section Statement.
Variables (R : realFieldType) (m : model).
(* a whole number in the field R *)
Local Notation num := (number R).
(* the probability of the first state, and of t after action a in state s of layer k *)
Definition start (s : 'I_(states m)) : R := num (at1 (initial m) s) / num (initial_scale m).
(* the probability of state t after action a in state s of layer k *)
Definition step k (s : 'I_(states m)) (a : 'I_(actions m)) (t : 'I_(states m)) : R :=
  num (at3 (nth [::] (steps m) k) s a t) / num (at1 (scales m) k).
(* the feature of action a in state s of the last layer *)
Definition feature (s : 'I_(states m)) (a : 'I_(actions m)) : 'cV[R]_(dim m) :=
  \col_i (num (at3 (features m) s a i) / num (feature_scale m)).

(* a policy: a law on the actions for every layer and state *)
Definition policy := nat -> 'I_(states m) -> 'I_(actions m) -> R.
(* a law on the actions for every layer and state *)
Definition is_policy (pi : policy) := forall k s, is_law (pi k s).
(* the probability of state t in layer k *)
Fixpoint occupancy (pi : policy) k (t : 'I_(states m)) : R :=
  if k is k'.+1 then \sum_s occupancy pi k' s * (\sum_a pi k' s a * step k' s a t) else start t.
(* the expectation of g (state, action) in the last layer *)
Definition expected (pi : policy) (g : 'I_(states m) -> 'I_(actions m) -> R) : R :=
  \sum_s occupancy pi (size (steps m)) s * (\sum_a pi (size (steps m)) s a * g s a).
(* E (phi^T theta)^2 and (E phi^T theta)^2 *)
Definition moment2 (pi : policy) (theta : 'cV[R]_(dim m)) : R :=
  expected pi (fun s a => ((feature s a)^T *m theta) ord0 ord0 ^+ 2).
(* (E phi^T theta)^2 *)
Definition moment1 (pi : policy) (theta : 'cV[R]_(dim m)) : R :=
  expected pi (fun s a => ((feature s a)^T *m theta) ord0 ord0) ^+ 2.

(* the smallest, over all directions, of the largest value over all policies lies between lo and hi, for
   directions of length one *)
Definition encloses (value : policy -> 'cV[R]_(dim m) -> R) (lo hi : R) :=
  (forall theta, exists2 pi, is_policy pi & lo * qf 1%:M theta <= value pi theta) /\
  (exists2 theta, theta != 0 & forall pi, is_policy pi -> value pi theta <= hi * qf 1%:M theta).

(* the data are probabilities, and features of length at most one; derl rounds features to floats, and so
   they may be longer by 10^-9 *)
Definition proper :=
  [/\ is_law start, forall k s a, (k < size (steps m))%N -> is_law (step k s a) &
      forall s a, qf 1%:M (feature s a) <= 1 + (10%:R ^+ 9)^-1].
End Statement.

(* sums and tables *)
Definition sumZ n (f : nat -> Z) : Z := foldr (fun i acc => Z.add (f i) acc) Z0 (iota 0 n).
(* the n by n table of f *)
Definition tab2 n (f : nat -> nat -> Z) : seq (seq Z) := mkseq (fun i => mkseq (f i) n) n.

Section Numbers.
Variable R : realFieldType.
(* a whole number in the field R *)
Local Notation num := (number R).

Lemma num0 : num Z0 = 0. Proof. by []. Qed.
Lemma numD x y : num (Z.add x y) = num x + num y.
Proof. by rewrite /number -[Z.add x y]/(x + y) !rmorphD. Qed.
Lemma numM x y : num (Z.mul x y) = num x * num y.
Proof. by rewrite /number -[Z.mul x y]/(x * y) !rmorphM. Qed.
Lemma numN x : num (Z.opp x) = - num x.
Proof. by rewrite /number -[Z.opp x]/(- x) !rmorphN. Qed.
Lemma num_ge0 z : Z.leb 0 z -> 0 <= num z.
Proof. by case: z => // p _; exact: ler0n. Qed.
Lemma num_gt0 z : Z.ltb 0 z -> 0 < num z.
Proof. by case: z => // p _; rewrite /number /= ltr0n; apply/ssrnat.ltP; exact: Pos2Nat.is_pos. Qed.
Lemma num_le x y : Z.leb x y -> num x <= num y.
Proof.
move=> /Z.leb_le h; rewrite -subr_ge0 -numN -numD; apply: num_ge0.
by apply/Z.leb_le; rewrite Z.add_opp_r; apply Z.le_0_sub.
Qed.
Lemma num_eq x y : Z.eqb x y -> num x = num y.
Proof. by move=> /Z.eqb_eq ->. Qed.
Lemma num_sum n f : num (sumZ n f) = \sum_(i < n) num (f i).
Proof.
rewrite -(big_mkord xpredT (fun i => num (f i))) /index_iota subn0 /sumZ.
by elim: (iota 0 n) => [|i s IH]; rewrite ?big_nil // big_cons -IH numD.
Qed.
Lemma at1_mkseq n (f : nat -> Z) (i : 'I_n) : at1 (mkseq f n) i = f i.
Proof. by rewrite /at1 nth_mkseq. Qed.
Lemma at2_tab n f (i j : 'I_n) : at2 (tab2 n f) i j = f i j.
Proof. by rewrite /at2 nth_mkseq // at1_mkseq. Qed.
End Numbers.

(* a quadratic form with a matrix of whole numbers *)
Definition quadratic (R : realFieldType) d (M : seq (seq Z)) (x : 'cV[R]_d) : R :=
  \sum_(i < d) \sum_(j < d) number R (at2 M i j) * (x i ord0 * x j ord0).

Section Copositive.
Variables (R : realFieldType) (d : nat).
(* entries off the diagonal that are negative are paid for by the diagonal *)
Lemma dominated (T M : 'I_d -> 'I_d -> R) (s : 'I_d -> R) (x : 'I_d -> R) :
  (forall i, 0 < s i) -> (forall i, 0 <= x i) -> (forall i j, M i j = M j i) ->
  (forall i j, M i j <= T i j) -> (forall i j, i != j -> M i j <= 0) ->
  (forall i, 0 <= \sum_j s j * M i j) -> 0 <= \sum_i \sum_j T i j * (x i * x j).
Proof.
move=> s0 x0 symM MT Mneg row.
apply: (@le_trans _ _ (\sum_i \sum_j M i j * ((s j / s i * x i ^+ 2 + s i / s j * x j ^+ 2) / 2%:R))).
  have -> : \sum_i \sum_j M i j * ((s j / s i * x i ^+ 2 + s i / s j * x j ^+ 2) / 2%:R) =
      \sum_i (x i ^+ 2 / s i) * (\sum_j s j * M i j).
    have h : \sum_i \sum_j M i j * (s j / s i * x i ^+ 2) = \sum_i (x i ^+ 2 / s i) * (\sum_j s j * M i j).
      by apply: eq_bigr => i _; rewrite mulr_sumr; apply: eq_bigr => j _; ring.
    have h' : \sum_i \sum_j M i j * (s i / s j * x j ^+ 2) = \sum_i (x i ^+ 2 / s i) * (\sum_j s j * M i j).
      by rewrite exchange_big /= -h; apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite symM.
    transitivity ((\sum_i \sum_j M i j * (s j / s i * x i ^+ 2) + \sum_i \sum_j M i j * (s i / s j * x j ^+ 2)) / 2%:R).
      rewrite -big_split /= mulr_suml; apply: eq_bigr => i _; rewrite -big_split /= mulr_suml.
      by apply: eq_bigr => j _; rewrite -mulrDr mulrA.
    by rewrite h h' -mulr2n -mulr_natr mulfK // pnatr_eq0.
  by apply: sumr_ge0 => i _; apply: mulr_ge0 => //; apply: divr_ge0; [exact: sqr_ge0|exact: ltW].
apply: ler_sum => i _; apply: ler_sum => j _.
case: (eqVneq i j) => [->|ij].
  rewrite divff ?gt_eqF // mul1r -mulr2n -(mulr_natr (x j ^+ 2)) mulfK ?pnatr_eq0 // expr2.
  by rewrite ler_wpmul2r // mulr_ge0.
apply: (@le_trans _ _ (M i j * (x i * x j))); last by rewrite ler_wpmul2r // mulr_ge0.
rewrite ler_wnmul2l ?Mneg // ler_pdivl_mulr ?ltr0n // -subr_ge0.
have -> : s j / s i * x i ^+ 2 + s i / s j * x j ^+ 2 - x i * x j * 2%:R =
    (s j * x i - s i * x j) ^+ 2 / (s i * s j).
  by field; rewrite !gt_eqF.
by apply: divr_ge0; [exact: sqr_ge0|apply: mulr_ge0; exact: ltW].
Qed.
End Copositive.

(* a tree of cones: a cut replaces a column by the sum of two; at a leaf a mixture of policies, given by
   numbers and weights, and rows whose squares are left out *)
Inductive tree := Cut of nat & nat & tree & tree | Leaf of seq (nat * Z) & seq (seq Z).
(* the orthants: from the second coordinate on, either sign *)
Inductive forest := One of tree | Two of forest & forest.

Section Checker.
Variables (d : nat).
(* what a leaf says about its mixture: whether it may be used, its form, the unit of the squares *)
Variables (legal : seq (nat * Z) -> bool) (form : seq (nat * Z) -> seq (seq Z)) (unit : seq (nat * Z) -> Z).

(* the form in the coordinates of the columns *)
Definition turned (cols F : seq (seq Z)) : seq (seq Z) :=
  tab2 d (fun a b => sumZ d (fun i => sumZ d (fun j => Z.mul (at2 F i j) (Z.mul (at2 cols a i) (at2 cols b j))))).
(* the lengths of the columns, rounded up, times 2^40 *)
Definition lengths (cols : seq (seq Z)) : seq Z :=
  mkseq (fun a => Z.succ (Z.sqrt (Z.shiftl (sumZ d (fun i => Z.mul (at2 cols a i) (at2 cols a i))) 80))) d.
(* what the squares leave, and twice its symmetric part *)
Definition left_over (n : seq Z) u (squares N : seq (seq Z)) : seq (seq Z) :=
  tab2 d (fun a b => Z.add (Z.mul (2 ^ 160) (at2 N a b)) (Z.opp (Z.mul u (Z.mul (Z.mul (at1 n a) (at1 n b))
    (foldr (fun q acc => Z.add (Z.mul (at1 q a) (at1 q b)) acc) Z0 squares))))).
(* what the squares leave of the form, symmetric *)
Definition rest (n : seq Z) u (squares N : seq (seq Z)) : seq (seq Z) :=
  let S := left_over n u squares N in tab2 d (fun a b => Z.add (at2 S a b) (at2 S b a)).
(* what is not negative off the diagonal counts as 0 *)
Definition below (T : seq (seq Z)) a b : Z := if a == b then at2 T a b else Z.min 0 (at2 T a b).
(* a leaf is right: on its cone the form of the mixture is at least the sum of the given squares and of products of
   nonnegative coordinates *)
Definition check_leaf cols mix squares : bool :=
  let n := lengths cols in
  let T := rest n (unit mix) squares (turned cols (form mix)) in
  let top := foldr Z.max Z0 n in
  let s := mkseq (fun a => Z.succ (Z.div (Z.shiftl top 20) (at1 n a))) d in
  [&& legal mix, Z.leb 0 (unit mix), all (fun a => Z.ltb 0 (at1 s a)) (iota 0 d) &
      all (fun a => Z.leb 0 (sumZ d (fun b => Z.mul (at1 s b) (below T a b)))) (iota 0 d)].
(* column b becomes the sum of the columns a and b, the others are doubled; column b becomes its negative *)
Definition merge a b (cols : seq (seq Z)) : seq (seq Z) :=
  tab2 d (fun k i => if k == b then Z.add (at2 cols a i) (at2 cols b i) else Z.mul 2 (at2 cols k i)).
(* the cone with its axis b turned round *)
Definition flip b (cols : seq (seq Z)) : seq (seq Z) :=
  tab2 d (fun k i => if k == b then Z.opp (at2 cols k i) else at2 cols k i).
(* a tree covers a cone: a cut halves it along the edge from a to b, a leaf is checked *)
Fixpoint check_tree (cols : seq (seq Z)) t : bool :=
  match t with
  | Cut a b l r => [&& (a < d)%N, (b < d)%N, a != b, check_tree (merge b a cols) l & check_tree (merge a b cols) r]
  | Leaf mix squares => check_leaf cols mix squares
  end.
(* a forest is a cover of all directions: it chooses the sign of each axis, then a tree covers the cone of these
   axes *)
Fixpoint check_forest k (cols : seq (seq Z)) f : bool :=
  match f with
  | One t => (k == d) && check_tree cols t
  | Two g h => [&& (k < d)%N, check_forest k.+1 cols g & check_forest k.+1 (flip k cols) h]
  end.
(* the columns are independent: `back` is their inverse, times `det` *)
Definition check_cover (cols back : seq (seq Z)) (det : Z) f : bool :=
  [&& (0 < d)%N, ~~ Z.eqb det 0,
      all (fun i => all (fun j => Z.eqb (sumZ d (fun a => Z.mul (at2 back a j) (at2 cols a i)))
        (if i == j then det else Z0)) (iota 0 d)) (iota 0 d) & check_forest 1%N cols f].

Variables (R : realFieldType) (good : 'cV[R]_d -> Prop).
(* a whole number in the field R *)
Local Notation num := (number R).
Hypothesis good_form : forall mix theta, legal mix -> 0 <= quadratic (form mix) theta -> good theta.
Hypothesis good_even : forall theta, good (- theta) -> good theta.

(* the direction with coordinates x *)
Definition along (x : 'I_d -> R) (cols : seq (seq Z)) : 'cV[R]_d := \col_i \sum_k x k * num (at2 cols k i).

Lemma all_iota (P : pred nat) (i : 'I_d) : all P (iota 0 d) -> P i.
Proof. by move/allP => h; apply: h; rewrite mem_iota leq0n add0n ltn_ord. Qed.

Lemma turnedE x cols F :
  quadratic F (along x cols) = \sum_(a < d) \sum_(b < d) num (at2 (turned cols F) a b) * (x a * x b).
Proof.
transitivity (\sum_(a < d) \sum_(b < d) \sum_(i < d) \sum_(j < d)
    num (at2 F i j) * (x a * num (at2 cols a i)) * (x b * num (at2 cols b j))).
  rewrite (eq_bigr _ (fun a _ => exchange_big _ _ _ _ _ _)) exchange_big /=; apply: eq_bigr => i _.
  rewrite (eq_bigr _ (fun a _ => eq_bigr _ (fun b _ => erefl))).
  under [RHS]eq_bigr => a _ do rewrite exchange_big /=.
  rewrite exchange_big /=; apply: eq_bigr => j _; rewrite !mxE mulr_suml mulr_sumr.
  apply: eq_bigr => a _; rewrite mulr_sumr mulr_sumr; apply: eq_bigr => b _.
  by rewrite mulrA.
apply: eq_bigr => a _; apply: eq_bigr => b _; rewrite at2_tab num_sum mulr_suml; apply: eq_bigr => i _.
rewrite num_sum mulr_suml; apply: eq_bigr => j _; rewrite !numM.
by move: (num _) (num _) (num _) (x a) (x b) => u v w y z; ring.
Qed.

Lemma check_leafP cols mix squares x : check_leaf cols mix squares -> (forall k, 0 <= x k) -> good (along x cols).
Proof.
rewrite /check_leaf; set n := lengths cols; set N := turned cols (form mix).
set T := rest _ _ _ _; set s := mkseq _ d.
move=> /and4P [lg u0 sP rowP] x0; apply: (good_form lg); rewrite turnedE -/N.
have sq : 0 <= \sum_(a < d) \sum_(b < d) num (at2 T a b) * (x a * x b).
  apply: (@dominated R d _ (fun a b => num (below T a b)) (fun a => num (at1 s a))) => //.
  - by move=> i; apply: num_gt0; exact: (all_iota i sP).
  - move=> i j; rewrite /below eq_sym; case: eqP => [->//|_]; congr (num (Z.min _ _)).
    by rewrite /T /rest !at2_tab Z.add_comm.
  - by move=> i j; apply: num_le; rewrite /below; case: ifP => _; apply/Z.leb_le; [exact: Z.le_refl|exact: Z.le_min_r].
  - move=> i j; rewrite -val_eqE /below => /negPf ->; rewrite -(num0 R); apply: num_le.
    by apply/Z.leb_le; exact: Z.le_min_l.
  move=> i; have := num_ge0 R (all_iota i rowP); rewrite num_sum.
  by rewrite (eq_bigr _ (fun b _ => numM R _ _)).
have e : \sum_(a < d) \sum_(b < d) num (at2 T a b) * (x a * x b) =
    2%:R * (num (2 ^ 160) * (\sum_(a < d) \sum_(b < d) num (at2 N a b) * (x a * x b)) -
     num (unit mix) * \sum_(q <- squares) (\sum_(a < d) num (at1 q a) * num (at1 n a) * x a) ^+ 2).
  pose S := left_over n (unit mix) squares N.
  have SE : \sum_(a < d) \sum_(b < d) num (at2 S a b) * (x a * x b) =
      num (2 ^ 160) * (\sum_(a < d) \sum_(b < d) num (at2 N a b) * (x a * x b)) -
     num (unit mix) * \sum_(q <- squares) (\sum_(a < d) num (at1 q a) * num (at1 n a) * x a) ^+ 2.
    have sqs : \sum_(q <- squares) (\sum_(a < d) num (at1 q a) * num (at1 n a) * x a) ^+ 2 =
        \sum_(a < d) \sum_(b < d) (\sum_(q <- squares) num (at1 q a) * num (at1 q b)) *
          (num (at1 n a) * num (at1 n b) * (x a * x b)).
      under [RHS]eq_bigr => a _ do under eq_bigr => b _ do rewrite mulr_suml.
      under [RHS]eq_bigr => a _ do rewrite exchange_big /=.
      rewrite exchange_big /=; apply: eq_bigr => q _; rewrite expr2 mulr_suml; apply: eq_bigr => a _.
      rewrite mulr_sumr; apply: eq_bigr => b _.
      by move: (num _) (num _) (num _) (num _) (x a) (x b) => u v w y z t; ring.
    rewrite sqs !mulr_sumr -sumrB; apply: eq_bigr => a _; rewrite !mulr_sumr -sumrB; apply: eq_bigr => b _.
    rewrite /S at2_tab numD numN !numM.
    have -> : num (foldr (fun q acc => Z.add (Z.mul (at1 q a) (at1 q b)) acc) Z0 squares) =
        \sum_(q <- squares) num (at1 q a) * num (at1 q b).
      by move: (squares) => qs; elim: qs => [|q l IH]; rewrite ?big_nil // big_cons /= numD numM IH.
    rewrite mulrBl; congr (_ - _); first by rewrite -mulrA.
    by move: (num _) (num _) (num _) (\sum_(q <- _) _) (x a) (x b) => u v w y z t; ring.
  rewrite -SE; have -> : \sum_(a < d) \sum_(b < d) num (at2 T a b) * (x a * x b) =
      \sum_(a < d) \sum_(b < d) num (at2 S a b) * (x a * x b) + \sum_(a < d) \sum_(b < d) num (at2 S b a) * (x a * x b).
    rewrite -big_split /=; apply: eq_bigr => a _; rewrite -big_split /=; apply: eq_bigr => b _.
    by rewrite /T /rest at2_tab numD mulrDl.
  rewrite [X in _ + X]exchange_big /= mulr2n mulrDl mul1r; congr (_ + _).
  by apply: eq_bigr => a _; apply: eq_bigr => b _; rewrite (mulrC (x b)).
move: sq; rewrite e pmulr_rge0 ?ltr0n // subr_ge0 => le.
rewrite -(pmulr_rge0 _ (num_gt0 R (isT : Z.ltb 0 (2 ^ 160)))); apply: le_trans le.
by apply: mulr_ge0; [exact: num_ge0|apply: sumr_ge0 => q _; exact: sqr_ge0].
Qed.

Lemma along_merge (a b : 'I_d) x cols : a != b ->
  along x cols = along (fun k => if k == a then (x a - x b) / 2%:R else if k == b then x b else x k / 2%:R)
  (merge a b cols).
Proof.
move=> ab; apply/colP => i; rewrite !mxE.
rewrite (bigD1 a) //= (bigD1 b) 1?eq_sym //= [RHS](bigD1 a) //= [in RHS](bigD1 b) 1?eq_sym //=.
have e1 : (a == b :> nat) = false by exact: negPf ab.
have two : num (Zpos 2) = 2%:R by [].
have e2 : (b == a) = false by rewrite eq_sym (negPf ab).
rewrite !at2_tab !eqxx ?(negPf ab) ?e2 e1 numD !numM two !addrA.
congr (_ + _).
  by move: (num _) (num _) (x a) (x b) => u v y z; field.
apply: eq_bigr => k /andP [ka kb].
have e3 : (k == b :> nat) = false by exact: negPf kb.
by rewrite at2_tab (negPf ka) (negPf kb) e3 numM two mulrA divfK ?pnatr_eq0.
Qed.

Lemma check_treeP t cols x : check_tree cols t -> (forall k, 0 <= x k) -> good (along x cols).
Proof.
elim: t cols x => [a b l IHl r IHr|mix squares] cols x /=; last exact: check_leafP.
move=> /and5P [ad bd ab hl hr] x0.
have abo : Ordinal ad != Ordinal bd by [].
case: (lerP (x (Ordinal ad)) (x (Ordinal bd))) => le.
  rewrite (@along_merge (Ordinal bd) (Ordinal ad)) 1?eq_sym //; apply: IHl => // k.
  case: ifP => _; first by rewrite divr_ge0 ?subr_ge0 ?ler0n.
  by case: ifP => _ //; rewrite divr_ge0 ?ler0n.
rewrite (@along_merge (Ordinal ad) (Ordinal bd)) //; apply: IHr => // k.
case: ifP => _; first by rewrite divr_ge0 ?ler0n // subr_ge0 ltW.
by case: ifP => _ //; rewrite divr_ge0 ?ler0n.
Qed.

Lemma along_flip (b : 'I_d) x cols : along x cols = along (fun k => if k == b then - x k else x k) (flip b cols).
Proof.
apply/colP => i; rewrite !mxE; apply: eq_bigr => k _; rewrite at2_tab -!val_eqE /=.
by case: ifP => _ //; rewrite numN mulrNN.
Qed.

Lemma check_forestP f k cols x : check_forest k cols f -> (forall i : 'I_d, (i < k)%N -> 0 <= x i) ->
  good (along x cols).
Proof.
elim: f k cols x => [t|g IHg h IHh] k cols x /=.
  by move=> /andP [/eqP -> ht] x0; apply: (check_treeP ht) => i; exact: x0.
move=> /and3P [kd hg hh] x0.
have lt (i : 'I_d) : (i < k.+1)%N -> (i < k)%N \/ i = Ordinal kd.
  by rewrite ltnS leq_eqVlt => /orP [/eqP e|]; [right; exact: val_inj|left].
case: (lerP 0 (x (Ordinal kd))) => s.
  by apply: (IHg _ _ _ hg) => i /lt [/x0//|->].
rewrite (along_flip (Ordinal kd)); apply: (IHh _ _ _ hh) => i /lt [ik|->]; last by rewrite eqxx oppr_ge0 ltW.
by rewrite -val_eqE /= ltn_eqF //; exact: x0.
Qed.

Lemma check_coverP cols back det f theta : check_cover cols back det f -> good theta.
Proof.
move=> /and4P [d0 det0 inv hf].
have n0 : num det != 0.
  rewrite intr_eq0; apply: contra det0 => /eqP e; apply/Z.eqb_eq.
  by rewrite -(int_of_ZK det) e.
pose x a := (\sum_(j < d) num (at2 back a j) * theta j ord0) / num det.
have xE : along x cols = theta.
  apply/colP => i; rewrite mxE.
  transitivity (\sum_(j < d) (\sum_(a < d) num (at2 back a j) * num (at2 cols a i)) * (theta j ord0 / num det)).
    under [RHS]eq_bigr do rewrite mulr_suml.
    rewrite exchange_big /=; apply: eq_bigr => a _; rewrite /x !mulr_suml; apply: eq_bigr => j _.
    by move: (num _) (num _) (num _) (theta _ _) => u v w y; ring.
  have e (j : 'I_d) : \sum_(a < d) num (at2 back a j) * num (at2 cols a i) = if i == j then num det else 0.
    have /Z.eqb_eq := all_iota j (all_iota i inv).
    move=> /(congr1 (number R)); rewrite num_sum (eq_bigr _ (fun a _ => numM R _ _)).
    by move=> ->; rewrite -val_eqE; case: ifP.
  rewrite (bigD1 i) //= e eqxx mulrC divfK // big1 ?addr0 // => j ji.
  by rewrite e eq_sym (negPf ji) mul0r.
pose o := Ordinal d0; have one (i : 'I_d) : (i < 1)%N -> i = o by rewrite ltnS leqn0 => /eqP e; exact: val_inj.
case: (lerP 0 (x o)) => s.
  by rewrite -xE; apply: (check_forestP hf) => i /one ->.
apply: good_even; rewrite -xE.
have -> : - along x cols = along (fun k => - x k) cols.
  by apply/colP => i; rewrite !mxE -sumrN; apply: eq_bigr => k _; rewrite mulNr.
by apply: (check_forestP hf) => i /one ->; rewrite oppr_ge0 ltW.
Qed.
End Checker.
