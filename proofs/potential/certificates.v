(* All stored certificates of the sharp bound: every batch of each violates.  The vectors are
   those of the files potential-sharp-*.json. *)
From derl.common Require Import prelude forms.
From derl.potential Require Import count attained.

Section Certificates.
Variable R : realFieldType.

(* a vector given by its entries *)
Definition entries d (s : seq R) : 'cV[R]_d := \col_i nth 0 s i.
(* batch k consists of copies of the k-th vector of the list *)
Definition listed d (l : seq (seq R)) (k : nat) : 'cV[R]_d := entries d (nth [::] l k).

Lemma dot_entries d s t : ((entries d s)^T *m entries d t) ord0 ord0 =
  \sum_(i < d) nth 0 s i * nth 0 t i.
Proof. by rewrite mxE; apply: eq_bigr => i _; rewrite !mxE. Qed.
Lemma sq_entries d s : qf 1%:M (entries d s) = \sum_(i < d) nth 0 s i * nth 0 s i.
Proof. by rewrite /qf bil1 dot_entries. Qed.
Lemma entries_neq0 d a s : a != 0 -> entries d.+1 (a :: s) != 0.
Proof. by apply: contra => /eqP /matrixP /(_ ord0 ord0); rewrite !mxE => /= ->. Qed.

(* x <= y, because (y - x) (b^2 + s) = a^2 + r *)
Lemma le_square_diff (a r b s : nat) (x y : R) : (0 < b)%N ->
  (y - x) * (b%:R * b%:R + s%:R) = a%:R * a%:R + r%:R -> x <= y.
Proof.
move=> b0 e; rewrite -subr_ge0.
have m0 : 0 < b%:R * b%:R + s%:R :> R by rewrite ltr_paddr ?ler0n ?mulr_gt0 ?ltr0n.
by rewrite -(pmulr_lge0 _ m0) e addr_ge0 ?mulr_ge0 ?ler0n.
Qed.

Ltac expand := rewrite /listed /= ?sq_entries ?dot_entries !(big_ord_recr, big_ord0) /= ?sq_entries ?dot_entries
  ?(big_ord_recr, big_ord0) /=.

(* potential-sharp-d2-n1000.json *)
Definition vectors_d2_n1000 : seq (seq R) :=
  [:: [:: - (4%:R / 31%:R); 9%:R / 31%:R];
      [:: - (41%:R / 62%:R); 23%:R / 31%:R];
      [:: - (24%:R / 31%:R); - (39%:R / 62%:R)]].

Theorem attained_d2_n1000 :
  (forall k, (k < 3)%N -> sqnorm (listed 2 vectors_d2_n1000 k) <= 1) /\
  violations (batches 1000 (copies (listed 2 vectors_d2_n1000))) (1000%:R * 10%:R^-1) 3 = 3%N.
Proof.
have sqE (x : 'cV[R]_2) : sqnorm x = qf 1%:M x by rewrite qfE.
split.
  move=> k; rewrite sqE.
  case: k => [_|k]; first by expand; apply: (@le_square_diff 29 23 31 0) => //; field.
  case: k => [_|k]; first by expand; apply: (@le_square_diff 6 11 62 0) => //; field.
  case: k => [_|k]; first by expand; apply: (@le_square_diff 4 3 62 0) => //; field.
  by [].
rewrite 3!violationsS violations0.
have -> : violates (batches 1000 (copies (listed 2 vectors_d2_n1000))) (1000%:R * 10%:R^-1) 0 = true.
  apply: (violates_copies (x := entries 2 [:: - (1%:R); 2%:R])); first by rewrite entries_neq0 // ?oppr_eq0 pnatr_eq0.
  by expand; apply: (@le_square_diff 2 3 43 73) => //; field.
have -> : violates (batches 1000 (copies (listed 2 vectors_d2_n1000))) (1000%:R * 10%:R^-1) 1 = true.
  apply: (violates_copies (x := entries 2 [:: - (5%:R); - (2%:R)]));
    first by rewrite entries_neq0 // ?oppr_eq0 pnatr_eq0.
  by expand; apply: (@le_square_diff 10 7 138 176) => //; field.
have -> : violates (batches 1000 (copies (listed 2 vectors_d2_n1000))) (1000%:R * 10%:R^-1) 2 = true.
  apply: (violates_copies (x := entries 2 [:: - (6%:R); - (5%:R)]));
    first by rewrite entries_neq0 // ?oppr_eq0 pnatr_eq0.
  by expand; apply: (@le_square_diff 197 394 138 176) => //; field.
by [].
Qed.

(* potential-sharp-d2-n200.json *)
Definition vectors_d2_n200 : seq (seq R) :=
  [:: [:: - (2%:R / 5%:R); - (1%:R / 5%:R)];
      [:: 3%:R / 5%:R; 4%:R / 5%:R];
      [:: 3%:R / 5%:R; - (4%:R / 5%:R)]].

Theorem attained_d2_n200 :
  (forall k, (k < 3)%N -> sqnorm (listed 2 vectors_d2_n200 k) <= 1) /\
  violations (batches 200 (copies (listed 2 vectors_d2_n200))) (200%:R * 10%:R^-1) 3 = 3%N.
Proof.
have sqE (x : 'cV[R]_2) : sqnorm x = qf 1%:M x by rewrite qfE.
split.
  move=> k; rewrite sqE.
  case: k => [_|k]; first by expand; apply: (@le_square_diff 2 0 2 1) => //; field.
  case: k => [_|k]; first by expand; apply: (@le_square_diff 0 0 1 0) => //; field.
  case: k => [_|k]; first by expand; apply: (@le_square_diff 0 0 1 0) => //; field.
  by [].
rewrite 3!violationsS violations0.
have -> : violates (batches 200 (copies (listed 2 vectors_d2_n200))) (200%:R * 10%:R^-1) 0 = true.
  apply: (violates_copies (x := entries 2 [:: - (1%:R); 0%:R])); first by rewrite entries_neq0 // ?oppr_eq0 pnatr_eq0.
  by expand; apply: (@le_square_diff 1 2 7 1) => //; field.
have -> : violates (batches 200 (copies (listed 2 vectors_d2_n200))) (200%:R * 10%:R^-1) 1 = true.
  apply: (violates_copies (x := entries 2 [:: - (1%:R); 2%:R])); first by rewrite entries_neq0 // ?oppr_eq0 pnatr_eq0.
  by expand; apply: (@le_square_diff 1 0 1 1) => //; field.
have -> : violates (batches 200 (copies (listed 2 vectors_d2_n200))) (200%:R * 10%:R^-1) 2 = true.
  apply: (violates_copies (x := entries 2 [:: 1%:R; - (1%:R)])); first by rewrite entries_neq0 // ?oppr_eq0 pnatr_eq0.
  by expand; apply: (@le_square_diff 2 0 5 0) => //; field.
by [].
Qed.

(* potential-sharp-d3-n400.json *)
Definition vectors_d3_n400 : seq (seq R) :=
  [:: [:: 1%:R / 6%:R; - (1%:R / 9%:R); 1%:R / 4%:R];
      [:: - (25%:R / 36%:R); 4%:R / 9%:R; - (5%:R / 9%:R)];
      [:: 7%:R / 36%:R; - (1%:R / 9%:R); 35%:R / 36%:R];
      [:: - (29%:R / 36%:R); 1%:R / 6%:R; 19%:R / 36%:R];
      [:: 13%:R / 36%:R; 11%:R / 12%:R; 5%:R / 36%:R]].

Theorem attained_d3_n400 :
  (forall k, (k < 5)%N -> sqnorm (listed 3 vectors_d3_n400 k) <= 1) /\
  violations (batches 400 (copies (listed 3 vectors_d3_n400))) (400%:R * 10%:R^-1) 5 = 5%N.
Proof.
have sqE (x : 'cV[R]_3) : sqnorm x = qf 1%:M x by rewrite qfE.
split.
  move=> k; rewrite sqE.
  case: k => [_|k]; first by expand; apply: (@le_square_diff 34 7 36 0) => //; field.
  case: k => [_|k]; first by expand; apply: (@le_square_diff 2 1 20 32) => //; field.
  case: k => [_|k]; first by expand; apply: (@le_square_diff 1 0 14 20) => //; field.
  case: k => [_|k]; first by expand; apply: (@le_square_diff 5 4 25 23) => //; field.
  case: k => [_|k]; first by expand; apply: (@le_square_diff 3 4 36 0) => //; field.
  by [].
rewrite 5!violationsS violations0.
have -> : violates (batches 400 (copies (listed 3 vectors_d3_n400))) (400%:R * 10%:R^-1) 0 = true.
  apply: (violates_copies (x := entries 3 [:: 1%:R; - (1%:R); 2%:R]));
    first by rewrite entries_neq0 // ?oppr_eq0 pnatr_eq0.
  by expand; apply: (@le_square_diff 1 1 20 5) => //; field.
have -> : violates (batches 400 (copies (listed 3 vectors_d3_n400))) (400%:R * 10%:R^-1) 1 = true.
  apply: (violates_copies (x := entries 3 [:: - (1%:R); 1%:R; 1%:R]));
    first by rewrite entries_neq0 // ?oppr_eq0 pnatr_eq0.
  by expand; apply: (@le_square_diff 7 12 80 80) => //; field.
have -> : violates (batches 400 (copies (listed 3 vectors_d3_n400))) (400%:R * 10%:R^-1) 2 = true.
  apply: (violates_copies (x := entries 3 [:: - (1%:R); 1%:R; 2%:R]));
    first by rewrite entries_neq0 // ?oppr_eq0 pnatr_eq0.
  by expand; apply: (@le_square_diff 22 33 80 80) => //; field.
have -> : violates (batches 400 (copies (listed 3 vectors_d3_n400))) (400%:R * 10%:R^-1) 3 = true.
  apply: (violates_copies (x := entries 3 [:: - (16%:R); - (23%:R); 1%:R])); first by rewrite entries_neq0 // ?oppr_eq0
    pnatr_eq0.
  by expand; apply: (@le_square_diff 83 108 80 80) => //; field.
have -> : violates (batches 400 (copies (listed 3 vectors_d3_n400))) (400%:R * 10%:R^-1) 4 = true.
  apply: (violates_copies (x := entries 3 [:: 3%:R; 8%:R; 1%:R])); first by rewrite entries_neq0 // ?oppr_eq0 pnatr_eq0.
  by expand; apply: (@le_square_diff 22 39 20 5) => //; field.
by [].
Qed.

(* potential-sharp-d4-n1000.json *)
Definition vectors_d4_n1000 : seq (seq R) :=
  [:: [:: - (5%:R / 34%:R); 1%:R / 17%:R; - (7%:R / 34%:R); - (4%:R / 17%:R)];
      [:: 9%:R / 34%:R; 5%:R / 34%:R; 19%:R / 34%:R; 13%:R / 17%:R];
      [:: 8%:R / 17%:R; - (13%:R / 17%:R); 4%:R / 17%:R; 6%:R / 17%:R];
      [:: 1%:R / 34%:R; - (27%:R / 34%:R); - (10%:R / 17%:R); - (1%:R / 34%:R)];
      [:: - (10%:R / 17%:R); 1%:R / 17%:R; - (7%:R / 17%:R); 23%:R / 34%:R];
      [:: 23%:R / 34%:R; 13%:R / 34%:R; - (10%:R / 17%:R); 3%:R / 17%:R]].

Theorem attained_d4_n1000 :
  (forall k, (k < 6)%N -> sqnorm (listed 4 vectors_d4_n1000 k) <= 1) /\
  violations (batches 1000 (copies (listed 4 vectors_d4_n1000))) (1000%:R * 10%:R^-1) 6 = 6%N.
Proof.
have sqE (x : 'cV[R]_4) : sqnorm x = qf 1%:M x by rewrite qfE.
split.
  move=> k; rewrite sqE.
  case: k => [_|k]; first by expand; apply: (@le_square_diff 22 23 24 2) => //; field.
  case: k => [_|k]; first by expand; apply: (@le_square_diff 3 4 34 0) => //; field.
  case: k => [_|k]; first by expand; apply: (@le_square_diff 2 0 17 0) => //; field.
  case: k => [_|k]; first by expand; apply: (@le_square_diff 5 0 34 0) => //; field.
  case: k => [_|k]; first by expand; apply: (@le_square_diff 5 2 34 0) => //; field.
  case: k => [_|k]; first by expand; apply: (@le_square_diff 3 2 24 2) => //; field.
  by [].
rewrite 6!violationsS violations0.
have -> : violates (batches 1000 (copies (listed 4 vectors_d4_n1000))) (1000%:R * 10%:R^-1) 0 = true.
  apply: (violates_copies (x := entries 4 [:: - (1%:R); 0%:R; - (1%:R); - (1%:R)]));
    first by rewrite entries_neq0 // ?oppr_eq0 pnatr_eq0.
  by expand; apply: (@le_square_diff 11 12 53 81) => //; field.
have -> : violates (batches 1000 (copies (listed 4 vectors_d4_n1000))) (1000%:R * 10%:R^-1) 1 = true.
  apply: (violates_copies (x := entries 4 [:: - (2%:R); 6%:R; 0%:R; 3%:R])); first by rewrite entries_neq0 // ?oppr_eq0
    pnatr_eq0.
  by expand; apply: (@le_square_diff 71 48 53 81) => //; field.
have -> : violates (batches 1000 (copies (listed 4 vectors_d4_n1000))) (1000%:R * 10%:R^-1) 2 = true.
  apply: (violates_copies (x := entries 4 [:: - (1%:R); - (4%:R); - (4%:R); 4%:R]));
    first by rewrite entries_neq0 // ?oppr_eq0 pnatr_eq0.
  by expand; apply: (@le_square_diff 19 18 53 81) => //; field.
have -> : violates (batches 1000 (copies (listed 4 vectors_d4_n1000))) (1000%:R * 10%:R^-1) 3 = true.
  apply: (violates_copies (x := entries 4 [:: - (3%:R); - (1%:R); - (9%:R); 8%:R]));
    first by rewrite entries_neq0 // ?oppr_eq0 pnatr_eq0.
  by expand; apply: (@le_square_diff 39 78 24 2) => //; field.
have -> : violates (batches 1000 (copies (listed 4 vectors_d4_n1000))) (1000%:R * 10%:R^-1) 4 = true.
  apply: (violates_copies (x := entries 4 [:: - (26%:R); - (11%:R); 13%:R; 2%:R]));
    first by rewrite entries_neq0 // ?oppr_eq0 pnatr_eq0.
  by expand; apply: (@le_square_diff 8 14 17 0) => //; field.
have -> : violates (batches 1000 (copies (listed 4 vectors_d4_n1000))) (1000%:R * 10%:R^-1) 5 = true.
  apply: (violates_copies (x := entries 4 [:: 7%:R; 4%:R; - (6%:R); 2%:R])); first by rewrite entries_neq0 // ?oppr_eq0
    pnatr_eq0.
  by expand; apply: (@le_square_diff 88 43 34 0) => //; field.
by [].
Qed.

(* potential-sharp-d4-n200.json *)
Definition vectors_d4_n200 : seq (seq R) :=
  [:: [:: - (5%:R / 26%:R); 7%:R / 26%:R; 1%:R / 13%:R; 0%:R];
      [:: 9%:R / 13%:R; - (9%:R / 13%:R); 1%:R / 13%:R; 1%:R / 26%:R];
      [:: 9%:R / 26%:R; - (10%:R / 13%:R); - (1%:R / 2%:R); 1%:R / 26%:R];
      [:: - (5%:R / 13%:R); 0%:R; - (11%:R / 13%:R); 7%:R / 26%:R];
      [:: 15%:R / 26%:R; 4%:R / 13%:R; 7%:R / 13%:R; 1%:R / 2%:R];
      [:: 1%:R / 26%:R; 2%:R / 13%:R; - (5%:R / 26%:R); 25%:R / 26%:R];
      [:: 7%:R / 13%:R; 15%:R / 26%:R; - (1%:R / 2%:R); - (4%:R / 13%:R)]].

Theorem attained_d4_n200 :
  (forall k, (k < 7)%N -> sqnorm (listed 4 vectors_d4_n200 k) <= 1) /\
  violations (batches 200 (copies (listed 4 vectors_d4_n200))) (200%:R * 10%:R^-1) 7 = 7%N.
Proof.
have sqE (x : 'cV[R]_4) : sqnorm x = qf 1%:M x by rewrite qfE.
split.
  move=> k; rewrite sqE.
  case: k => [_|k]; first by expand; apply: (@le_square_diff 4 7 5 1) => //; field.
  case: k => [_|k]; first by expand; apply: (@le_square_diff 4 7 26 0) => //; field.
  case: k => [_|k]; first by expand; apply: (@le_square_diff 5 0 26 0) => //; field.
  case: k => [_|k]; first by expand; apply: (@le_square_diff 6 7 26 0) => //; field.
  case: k => [_|k]; first by expand; apply: (@le_square_diff 3 2 18 14) => //; field.
  case: k => [_|k]; first by expand; apply: (@le_square_diff 3 0 26 0) => //; field.
  case: k => [_|k]; first by expand; apply: (@le_square_diff 3 2 18 14) => //; field.
  by [].
rewrite 7!violationsS violations0.
have -> : violates (batches 200 (copies (listed 4 vectors_d4_n200))) (200%:R * 10%:R^-1) 0 = true.
  apply: (violates_copies (x := entries 4 [:: - (1%:R); 1%:R; 0%:R; 0%:R])); first by rewrite entries_neq0 // ?oppr_eq0
    pnatr_eq0.
  by expand; apply: (@le_square_diff 3 2 29 4) => //; field.
have -> : violates (batches 200 (copies (listed 4 vectors_d4_n200))) (200%:R * 10%:R^-1) 1 = true.
  apply: (violates_copies (x := entries 4 [:: 1%:R; 0%:R; 1%:R; 0%:R]));
    first by rewrite entries_neq0 // ?oppr_eq0 pnatr_eq0.
  by expand; apply: (@le_square_diff 10 6 29 4) => //; field.
have -> : violates (batches 200 (copies (listed 4 vectors_d4_n200))) (200%:R * 10%:R^-1) 2 = true.
  apply: (violates_copies (x := entries 4 [:: - (1%:R); - (1%:R); - (2%:R); 1%:R]));
    first by rewrite entries_neq0 // ?oppr_eq0 pnatr_eq0.
  by expand; apply: (@le_square_diff 13 8 41 9) => //; field.
have -> : violates (batches 200 (copies (listed 4 vectors_d4_n200))) (200%:R * 10%:R^-1) 3 = true.
  apply: (violates_copies (x := entries 4 [:: 3%:R; 4%:R; - (4%:R); 11%:R])); first by rewrite entries_neq0 // ?oppr_eq0
    pnatr_eq0.
  by expand; apply: (@le_square_diff 37 0 58 16) => //; field.
have -> : violates (batches 200 (copies (listed 4 vectors_d4_n200))) (200%:R * 10%:R^-1) 4 = true.
  apply: (violates_copies (x := entries 4 [:: 4%:R; 3%:R; 0%:R; 5%:R]));
    first by rewrite entries_neq0 // ?oppr_eq0 pnatr_eq0.
  by expand; apply: (@le_square_diff 22 17 26 0) => //; field.
have -> : violates (batches 200 (copies (listed 4 vectors_d4_n200))) (200%:R * 10%:R^-1) 5 = true.
  apply: (violates_copies (x := entries 4 [:: - (7%:R); - (6%:R); 5%:R; 7%:R]));
    first by rewrite entries_neq0 // ?oppr_eq0 pnatr_eq0.
  by expand; apply: (@le_square_diff 38 19 58 16) => //; field.
have -> : violates (batches 200 (copies (listed 4 vectors_d4_n200))) (200%:R * 10%:R^-1) 6 = true.
  apply: (violates_copies (x := entries 4 [:: 2%:R; 2%:R; - (2%:R); - (1%:R)]));
    first by rewrite entries_neq0 // ?oppr_eq0 pnatr_eq0.
  by expand; apply: (@le_square_diff 17 24 41 9) => //; field.
by [].
Qed.

End Certificates.
