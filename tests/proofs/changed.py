"""Definitions of the formal statements, written once more, and near ones that mean something else.

Each entry: family, name, and the definition with the honest and the changed part between braces. In place of the
definition the honest copy has to be accepted with the same proof, the changed one refused.
"""

CHANGED = [
    ("runs", "derl.layerwise.run.statistic", """(F : rcfType) (d N : nat) (beta : F) (Lam : nat -> 'M[F]_d)
  (phi : nat -> nat -> 'cV[F]_d) (l : nat) : F :=
  (\\sum_(i < N) {2%:R * beta|beta} * (\\sum_(h < l.+1) Num.sqrt (qf (invmx (Lam h)) (phi h i)))) / N%:R"""),
    ("runs", "derl.layerwise.theorem.J", """(S A : finType) (P : nat -> S -> A -> S -> real)
  (r : nat -> S -> A -> real) (rho : S -> real) (mu : nat -> S -> A -> real) L : real :=
  \\sum_s {rho s * |}optimism.value P mu r 0 L s"""),
    ("last_call", "derl.arbitrary.theorem_r.reward5", """(R : rcfType) (S A : finType) (d : nat)
  (phi : nat -> S -> A -> 'cV[R]_d) (rho : S -> R) (X : nat -> derl.arbitrary.theorem_r.layer_run R S A d) L s a : R :=
  Num.sqrt (qf (invmx ({2|3}%:R%:M + derl.arbitrary.theorem_r.estimates rho X L)) (phi L s a))"""),
    ("noises", "derl.reward_free.violation.next", """(R : rcfType) (S : finType) d (mu : S -> 'cV[R]_d) (V : S -> R)
  (x : 'cV[R]_d) : R := \\sum_s' ((mu s')^T *m x) ord0 ord0 * V s'{| ^+ 2}"""),
    ("directed", "derl.reachability.coefficient.zero_mean", """(R : rcfType) (d H : nat) (T : finType) (Pi : Type)
  (phi : T -> 'cV[R]_d) (p : 'I_H -> Pi -> T -> R) h (theta : 'cV[R]_d) pi : R :=
  `|mean (p h pi) (fun t => {(|`|}((phi t)^T *m theta) ord0 ord0{)||})|"""),
    ("counts", "derl.probability.multinomial.multinomial", """(R : realFieldType) (T : finType) (p : T -> R)
  (N : nat) (c : T -> nat) : R := ((derl.probability.multinomial.arrangements N c){|.+1})%:R * \\prod_x p x ^+ c x"""),
    ("averages", "derl.probability.adaptive.bonuses", """(S A : finType) (d H : nat)
  (phi : nat -> S -> A -> 'cV[real]_d) (beta : real) (x : derl.probability.adaptive.batch S A d H)
  (t : derl.probability.adaptive.trajectory S A H) : real :=
  \\sum_(h < H | (h < derl.probability.adaptive.layers x)%N)
    {2|3}%:R * beta * R_sqrt.sqrt (qf (invmx (derl.probability.adaptive.Lam x h)) (phi h (t h).1 (t h).2))"""),
    ("sums", "derl.potential.elliptical_sharp.potential_sum", """d (X : nat -> 'M[real]_d) (lam : real) T : real :=
  \\sum_(t < T) \\tr (X t *m invmx (derl.potential.elliptical.total X lam t{|.+1}))"""),
    ("levels", "derl.lower_bounds.levels.unreached", """(R : realFieldType) (H d N : nat) (b : R) (a0 : 'I_d) (X : Type)
  (psi : strategy (template_game.tdata H d N) (template_game.treturned R d) X) (k j : nat) : R :=
  (\\sum_(c : code H.-1 d) \\sum_(h : k.-tuple (template_game.tdata H d N))
    history (hidden_cores.hidden_law (N := N) b a0 c) psi [::] h *
    (all (fun o => hidden_cores.deepest o < j)%N h)%:R) / (d ^ H{.-1|})%:R"""),
    ("met", "derl.reachability.factor.take", "(R : realFieldType) (T : finType) (i t : T) : R := (t {==|!=} i)%:R"),
    ("junk", "derl.beyond.sums.capped", """(R : realFieldType) (b N a : nat) : R :=
  Num.min 1 (N%:R / (b ^ a{|.+1})%:R)"""),
    ("sweeps", "derl.lower_bounds.sweep.round", """(A : finType) (i0 : A) (r p : nat) : A :=
  nth i0 (enum A) ((r + p{|.+1}) %% #|A|)"""),
    ("counted", "derl.layerwise.count_attained.zeta", """(viol : nat -> nat -> bool) k j : nat :=
  (\\sum_(i < k) {|~~ }viol i j)%N"""),
    ("norms", "derl.analysis.blow_up.uncertainty", """(R : rcfType) (d : nat) (T : finType) (Pi : Type)
  (phi : T -> 'cV[R]_d) (p : Pi -> T -> R) (M : 'M[R]_d) pi : R :=
  mean (p pi) (fun t => Num.sqrt (qf (invmx M) (phi t)){| ^+ 2})"""),
    ("ends", "derl.analysis.evaluation.clip", "(R : rcfType) (x : R) : R := Num.min (Num.max x {0|1}) 1"),
    ("ends", "derl.analysis.evaluation.entry_reward", """(R : rcfType) (S A : finType) (d : nat)
  (phi : nat -> S -> A -> 'cV[R]_d) L (i j : 'I_d) s a : R :=
  (1 + phi L s a i ord0 * phi L s a j ord0){ / 2%:R|}"""),
    ("chains", "derl.beyond.chain.plays", """(R : realFieldType) (S A : finType) (rho : nat -> S -> A -> R)
  (pre : seq (S * A)) (s : S) (a : A) : R := rho (size pre){|.+1} s a"""),
    ("optimistic", "optimism.value", """(R : realFieldType) (S A : finType) (P : nat -> S -> A -> S -> R)
  (mu r : nat -> S -> A -> R) := fix value (h k : nat) (s : S) : R := if k is k'.+1 then
    \\sum_a mu h s a * (r h s a + \\sum_s' P h s a s' * value h{.+1|} k' s') else 0"""),
    # the cap inside that the paper prints
    ("inside", "derl.algorithm_one.algorithm.optimistic", """(S A : finType) (d H : nat)
  (phi : nat -> S -> A -> 'cV[real]_d) (r : nat -> S -> A -> real) (beta : real)
  (x : 'cV[real]_d) (Lam : 'M[real]_d) h s a : real :=
  Num.min ((x^T *m phi h s a) ord0 ord0 + r h s a +
    {|Num.min (}beta * Num.sqrt (qf (invmx Lam) (phi h s a)){|) H%:R}) H%:R"""),
    # a regression that has seen the batch to come
    ("strategies", "derl.algorithm_one.algorithm.matrix_of", """(S A : finType) (d N H : nat)
  (phi : nat -> S -> A -> 'cV[real]_d) (s0 : S) (a0 : A) (w : nat -> derl.algorithm_one.trajectory_law.batch S A N H)
  (k h : nat) : 'M[real]_d :=
  derl.layerwise.run.covariance N (derl.algorithm_one.algorithm.feature phi s0 a0 w) k{|.+1} h"""),
    # the policy of the deployment after the first one that finishes the last layer
    ("strategies", "derl.algorithm_one.algorithm.returned_index", """(S A : finType) (d N H : nat)
  (phi : nat -> S -> A -> 'cV[real]_d) (beta eps : real) (s0 : S) (a0 : A)
  (h : seq (derl.algorithm_one.trajectory_law.batch S A N H)) : nat :=
  find (derl.algorithm_one.algorithm.last_one phi beta eps s0 a0
    (nth (derl.algorithm_one.algorithm.nothing N H s0 a0) h)) (iota {0|1} (size h))"""),
    # the last layer but one
    ("strategies", "derl.algorithm_one.algorithm.last_one", """(S A : finType) (d N H : nat)
  (phi : nat -> S -> A -> 'cV[real]_d) (beta eps : real) (s0 : S) (a0 : A)
  (w : nat -> derl.algorithm_one.trajectory_law.batch S A N H) (k : nat) : bool :=
  (derl.algorithm_one.algorithm.goal phi beta eps s0 a0 w k == H.-1{|.-1}) &&
  derl.algorithm_one.algorithm.finished_by phi beta eps s0 a0 w k"""),
    # transitions of the next layer
    ("optimal", "derl.algorithm_one.trajectory_law.path_law", """(R : realFieldType) (S A : finType)
  (P : nat -> S -> A -> S -> R) (g : nat -> S -> A) :=
  fix path_law (h : nat) (q : S -> R) (t : seq (S * A)) : R :=
  if t is x :: t' then q x.1 * (x.2 == g h x.1)%:R * path_law h.+1 (P h{|.+1} x.1 x.2) t' else 1"""),
]
