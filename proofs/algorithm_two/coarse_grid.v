(* Control of the theorem on grid tests: a grid that is too coarse misses a direction. *)
From derl.common Require Import real_prelude forms.
From derl.algorithm_one Require Import grid.

(* the vector (1, -2), to which (2, 1) is orthogonal *)
Definition steep : 'cV[R]_2 := \col_i (if i == ord0 then 1%R else (- 2%:R)%R).
Definition missed : 'cV[R]_2 := \col_i (if i == ord0 then 2%:R%R else 1%R).
(* its outer product, times 3/2 *)
Definition thin : 'M[R]_2 := ((3%:R / 2%:R) *: outer steep)%R.

Lemma thin_form x : qf thin x = 3%:R / 2%:R * (x ord0 ord0 - 2%:R * x ord_max ord0) ^+ 2.
Proof.
have last : lift ord0 ord0 = ord_max :> 'I_2 by exact: val_inj.
rewrite qfZ qf_outer; congr (_ * _ ^+ 2); rewrite mxE big_ord_recl big_ord1 !mxE /= last.
by rewrite mul1r mulNr.
Qed.
Lemma square_form (x : 'cV[R]_2) : qf 1%:M x = x ord0 ord0 ^+ 2 + x ord_max ord0 ^+ 2.
Proof.
have last : lift ord0 ord0 = ord_max :> 'I_2 by exact: val_inj.
by rewrite qfE big_ord_recl big_ord1 last.
Qed.

Lemma marks_one (j : mark 1) : [\/ level j = -1, level j = 0 | level j = 1].
Proof.
case: j => -[|[|[|k]]] hk; rewrite /level /= ?exp1n ?divr1 //.
- by constructor 1; rewrite sub0r.
- by constructor 2; rewrite subrr.
- by constructor 3; rewrite mulr2n addrK.
Qed.

(* without the condition on the number of marks the theorem is false: M = 1 in two dimensions *)
Theorem grid_covariance_control : ~ (forall (M d n : nat) (G E : 'M[R]_d), (0 < M)%N -> psd G -> psd E ->
  (forall x, qf 1%:M x <= qf E x) -> (forall x, qf E x <= n%:R * qf 1%:M x) ->
  (forall x, qf G x <= n%:R * qf 1%:M x) ->
  (forall f : {ffun 'I_d -> mark M}, 3%:R / 4%:R * qf E (point f) <= qf G (point f)) ->
  psd (2%:R *: G - E)).
Proof.
move=> claim; have pt : psd thin by apply: psdZ (psd_outer _); rewrite divr_ge0 ?ler0n.
have q0 (x : 'cV[R]_2) : 0 <= qf 1%:M x by exact: qf1_ge0.
have [| |f|_ /(_ missed)] := claim 1%N 2%N 8%N thin 1%:M isT pt (pd_psd (pd1 _ 2)) (fun x => lexx _).
- by move=> x; rewrite ler_pemull // ler1n.
- move=> x; rewrite thin_form square_form; set a := x ord0 ord0; set b := x ord_max ord0.
  rewrite -subr_ge0; have -> : 8%:R * (a ^+ 2 + b ^+ 2) - 3%:R / 2%:R * (a - 2%:R * b) ^+ 2 =
    (2%:R * a + b) ^+ 2 * (3%:R / 2%:R) + (a ^+ 2 + b ^+ 2) / 2%:R by field.
  apply: addr_ge0; first by apply: mulr_ge0; [exact: sqr_ge0|rewrite divr_ge0 ?ler0n].
  by apply: divr_ge0; [apply: addr_ge0; exact: sqr_ge0|exact: ler0n].
- rewrite thin_form square_form !mxE; have := marks_one (f ord0); have := marks_one (f ord_max).
  move: (level (f ord0)) (level (f ord_max)) => a b hb ha.
  rewrite -subr_ge0; have e : 3%:R / 2%:R * (a - 2%:R * b) ^+ 2 - 3%:R / 4%:R * (a ^+ 2 + b ^+ 2) =
    3%:R / 4%:R * (a ^+ 2 - 8%:R * (a * b) + 7%:R * b ^+ 2) by field.
  rewrite e mulr_ge0 ?divr_ge0 ?ler0n //.
  case: ha => ->; case: hb => ->.
  + rewrite [X in 0 <= X](_ : _ = 0%:R); [exact: ler0n|ring].
  + rewrite [X in 0 <= X](_ : _ = 1%:R); [exact: ler0n|ring].
  + rewrite [X in 0 <= X](_ : _ = 16%:R); [exact: ler0n|ring].
  + rewrite [X in 0 <= X](_ : _ = 7%:R); [exact: ler0n|ring].
  + rewrite [X in 0 <= X](_ : _ = 0%:R); [exact: ler0n|ring].
  + rewrite [X in 0 <= X](_ : _ = 7%:R); [exact: ler0n|ring].
  + rewrite [X in 0 <= X](_ : _ = 16%:R); [exact: ler0n|ring].
  + rewrite [X in 0 <= X](_ : _ = 1%:R); [exact: ler0n|ring].
  + rewrite [X in 0 <= X](_ : _ = 0%:R); [exact: ler0n|ring].
rewrite qfB qfZ thin_form square_form !mxE /= mulr1 subrr expr0n mulr0 mulr0 sub0r oppr_ge0 leNgt.
by rewrite addr_gt0 // exprn_gt0 ?ltr0n ?ltr01.
Qed.
