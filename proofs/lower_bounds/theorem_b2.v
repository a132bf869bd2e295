(* Theorem B.2 and the steps of its proof, on the template; and what can be counted there. *)
From derl.common Require Import prelude.
From derl.lower_bounds Require Import game template template_game events gate trajectories bandit.

Section Template.
Variables (R : realFieldType) (n d N : nat) (core : nat -> 'I_d) (b : R).
(* a place for the optimal state on this template *)
Local Notation place := (place n core).
(* the law of the data of a deployment of f where the place o is hidden, if any *)
Definition template_law (o : option place) (f : tdeterministic d) := tdata_law (N := N) b o (tpol R f).
Local Notation pulled := (@tpulled n d core).

Variables (X : Type) (psi : strategy (tdata n d N) (tdeterministic d) X).

Lemma template_laws o f : 0 <= b <= 2%:R^-1 -> is_law (template_law o f).
Proof. by move=> hb; apply: tdata_law_law => //; exact: tpol_proper. Qed.

Lemma eq_same_choice_section i k :
  event psi (template_law (Some i)) k (fun h => unpulled pulled psi i h && (pulled (deploy psi h) == Some i)) =
  event psi (template_law None) k (fun h => unpulled pulled psi i h && (pulled (deploy psi h) == Some i)).
Proof. exact: (eq_same_choice psi i k (@template_blind R n d N core b)). Qed.

Lemma eq_same_behaviour_section i k :
  event psi (template_law (Some i)) k (fun h => unpulled pulled psi i h && (pulled (deploy psi h) != Some i)) =
  event psi (template_law None) k (fun h => unpulled pulled psi i h && (pulled (deploy psi h) != Some i)).
Proof. exact: (eq_same_behaviour psi i k (@template_blind R n d N core b)). Qed.

Lemma half_section (name : X -> option place) K : 0 <= b <= 2%:R^-1 ->
  [/\ \sum_i (names_arm psi name (template_law (Some i)) K i - names_arm psi name (template_law None) K i) <=
        \sum_i event psi (template_law None) K (fun h => ~~ unpulled pulled psi i h),
      \sum_i event psi (template_law None) K (fun h => ~~ unpulled pulled psi i h) <= K%:R &
      forall M : nat, (2 * K <= M - 1)%N -> (0 < M)%N -> K%:R / M%:R <= 2%:R^-1 :> R].
Proof.
move=> hb; exact: (ineq_half_repaired psi name K (@template_blind R n d N core b) (fun f => template_laws None f hb)
  (fun i f => template_laws (Some i) f hb)).
Qed.

Lemma tenth_section (name : X -> option place) K (s0 : R) : 0 <= b <= 2%:R^-1 -> s0 <= 1 -> (2 * K <= d.-1 * n.-1)%N ->
  (s0 + \sum_i names_arm psi name (template_law (Some i)) K i) / (d.-1 * n.-1).+1%:R <=
    2%:R / (d.-1 * n.-1).+1%:R + 2%:R^-1.
Proof.
move=> hb; rewrite -(card_place n core) => s1 hK.
exact: (proj1 (ineq_tenth psi name (@template_blind R n d N core b) (fun f => template_laws None f hb)
  (fun i f => template_laws (Some i) f hb) s1 hK)).
Qed.
End Template.
Arguments template_law {R n d N} core b o f.

(* An algorithm is a finite mixture of deterministic ones: with the weight w v it follows the strategy psi v. *)

(* [eq-same-choice], whole: in M_i and in M_0, every algorithm (with any outputs) has the same
   probability of choosing arm i next without having pulled it in the first k deployments *)
Theorem eq_same_choice_template (R : realFieldType) n d N (core : nat -> 'I_d) (b : R) (X : Type) (W : finType)
    (w : W -> R) (psi : W -> strategy (tdata n d N) (tdeterministic d) X) (i : place n core) k :
  \sum_v w v * event (psi v) (template_law core b (Some i)) k
    (fun h => unpulled (tpulled n core) (psi v) i h && (tpulled n core (deploy (psi v) h) == Some i)) =
  \sum_v w v * event (psi v) (template_law core b None) k
    (fun h => unpulled (tpulled n core) (psi v) i h && (tpulled n core (deploy (psi v) h) == Some i)).
Proof. by apply: eq_bigr => v _; rewrite eq_same_choice_section. Qed.

(* [eq-same-behaviour], whole: the same for the event that none of the first k + 1 choices,
   which depend on the data of k deployments, pulls arm i *)
Theorem eq_same_behaviour_template (R : realFieldType) n d N (core : nat -> 'I_d) (b : R) (X : Type) (W : finType)
    (w : W -> R) (psi : W -> strategy (tdata n d N) (tdeterministic d) X) (i : place n core) k :
  \sum_v w v * event (psi v) (template_law core b (Some i)) k
    (fun h => unpulled (tpulled n core) (psi v) i h && (tpulled n core (deploy (psi v) h) != Some i)) =
  \sum_v w v * event (psi v) (template_law core b None) k
    (fun h => unpulled (tpulled n core) (psi v) i h && (tpulled n core (deploy (psi v) h) != Some i)).
Proof. by apply: eq_bigr => v _; rewrite eq_same_behaviour_section. Qed.

(* [ineq-half-repaired], whole: names_arm is the probability that the output names arm i, and
   unpulled the complement of E_(K,i) *)
Theorem ineq_half_repaired_template (R : realFieldType) n d N (core : nat -> 'I_d) (b : R) (X : Type) (W : finType)
    (w : W -> R) (psi : W -> strategy (tdata n d N) (tdeterministic d) X) (name : X -> option (place n core)) K :
  is_law w -> 0 <= b <= 2%:R^-1 ->
  let names o i := \sum_v w v * names_arm (psi v) name (template_law core b o) K i in
  let pulls := \sum_i \sum_v w v * event (psi v) (template_law core b None) K
    (fun h => ~~ unpulled (tpulled n core) (psi v) i h) in
  [/\ \sum_i (names (Some i) i - names None i) <= pulls, pulls <= K%:R &
      forall M : nat, (2 * K <= M - 1)%N -> (0 < M)%N -> K%:R / M%:R <= 2%:R^-1 :> R].
Proof.
move=> [w0 w1] hb names pulls; split.
- under eq_bigr do rewrite /names -sumrB; rewrite /pulls exchange_big [leRHS]exchange_big; apply: ler_sum => v _.
  under eq_bigr do rewrite -mulrBr; rewrite -!mulr_sumr ler_wpmul2l //.
  have [h _ _] := half_section (psi v) name K hb. exact: h.
- rewrite /pulls exchange_big -[leRHS]mul1r -[X in _ <= X * _]w1 mulr_suml; apply: ler_sum => v _.
  rewrite -mulr_sumr ler_wpmul2l //; have [_ h _] := half_section (psi v) name K hb; exact: h.
- move=> M hM M0; rewrite ler_pdivr_mulr ?ltr0n // mulrC ler_pdivl_mulr ?ltr0n // -natrM ler_nat mulnC.
  exact: leq_trans hM (leq_subr _ _).
Qed.

(* [ineq-tenth], whole: M has the m = (d - 1)(n - 1) instances and the one without a hidden
   arm, in which the probability of success is s0; K <= m/2 *)
Theorem ineq_tenth_template (R : realFieldType) n d N (core : nat -> 'I_d) (b : R) (X : Type) (W : finType) (w : W -> R)
    (psi : W -> strategy (tdata n d N) (tdeterministic d) X) (name : X -> option (place n core)) K (s0 : R) :
  is_law w -> 0 <= b <= 2%:R^-1 -> s0 <= 1 -> (2 * K <= d.-1 * n.-1)%N ->
  let M := (d.-1 * n.-1).+1 in
  (s0 + \sum_i \sum_v w v * names_arm (psi v) name (template_law core b (Some i)) K i) / M%:R <= 2%:R / M%:R + 2%:R^-1
  /\ ((3 <= d)%N -> (3 <= n)%N -> 2%:R / M%:R + 2%:R^-1 <= 9%:R / 10%:R :> R).
Proof.
move=> [w0 w1] hb s1 hK M; split.
  set B := 2%:R / _ + _; have mix (x : R) : \sum_v w v * x = x by rewrite -mulr_suml w1 mul1r.
  rewrite exchange_big -(mix s0) -(mix B) -big_split /= mulr_suml.
  apply: ler_sum => v _; rewrite -mulr_sumr -mulrDr -mulrA ler_wpmul2l //; exact: tenth_section.
move=> d3 n3; have M5 : (5 <= M)%N by rewrite /M; move: {+}d {+}n d3 n3 => d' n'; nia.
have -> : 9%:R / 10%:R = 2%:R / 5%:R + 2%:R^-1 :> R by field.
by rewrite ler_add2r ler_pmul2l ?ltr0n // lef_pinv ?posrE ?ltr0n // ler_nat.
Qed.

(* [thm-lower-deterministic-repaired], whole: on the template and on the compact bandit, with
   the numerical consequences; on the bandit D = d' + 3 is the dimension and T = h + 1 layers *)
Theorem thm_lower_deterministic_repaired (R : realFieldType) (W : finType) (w : W -> R) (K N : nat) (b eps : R) :
  is_law w -> 0 < b <= 2%:R^-1 ->
  [/\ forall n d (core : nat -> 'I_d), (1 < d)%N -> (1 < n)%N ->
        let m := (d.-1 * n.-1)%N in
        [/\ forall psi : W -> strategy (tdata n d N) (tdeterministic d) (option (place n core)),
              exists i, 1 - mixed_success w psi (template_law core b (Some i)) (fun x => x == Some i) K >= 1 - K.+1%:R
            / m%:R, forall psi : W -> strategy (tdata n d N) (tdeterministic d) (tdeterministic d), eps < b ->
              exists i : place n core, 1 - mixed_success w psi (template_law core b (Some i)) (tgood_det b eps i) K >=
              1 - K.+1%:R / m%:R &
            forall psi : W -> strategy (tdata n d N) (tdeterministic d) (treturned R d), 2%:R * eps < b ->
              exists i : place n core, 1 - mixed_success w psi (template_law core b (Some i)) (tgood b eps i) K >=
      1 - K.+1%:R / m%:R], forall h d', (0 < h)%N -> (0 < d')%N ->
        let m := (h * d')%N in let law i := fun f => data_law (N := N) (bandit b i) (pol R f) in
        [/\ forall psi : W -> strategy [finType of data h d'.+1 N] (deterministic d') (option (arm h d')),
              exists i, 1 - mixed_success w psi (law i) (fun x => x == Some i) K >= 1 - K.+1%:R / m%:R,
            forall psi : W -> strategy [finType of data h d'.+1 N] (deterministic d') (deterministic d'), eps < b ->
              exists i, 1 - mixed_success w psi (law i) (det_output b eps i) K >= 1 - K.+1%:R / m%:R &
            forall psi : W -> strategy [finType of data h d'.+1 N] (deterministic d') (returned R d'), 2%:R * eps < b ->
              exists i, 1 - mixed_success w psi (law i) (good_output b eps i) K >= 1 - K.+1%:R / m%:R] &
      forall m D T : nat, (0 < m)%N ->
        [/\ (10 * K.+1 <= 9 * m)%N -> 10%:R^-1 <= 1 - K.+1%:R / m%:R :> rat,
            (3 <= m)%N -> (2 * K <= m)%N -> 10%:R^-1 <= 1 - K.+1%:R / m%:R :> rat &
            (4 <= D)%N -> (2 <= T)%N -> (D * T <= 8 * ((D - 3) * (T - 1)))%N]].
Proof.
move=> hw hb; split=> [n d core d1 n1 m|h d' h0 d0 m law|m D T m0]; last exact: lower_numbers.
- have [h1 h2 h3] := lower_template N core K hw d1 n1 hb; split=> // psi; [exact: h2|exact: h3].
- have hb' : 0 <= b <= 2%:R^-1 by case/andP: hb => b0 ->; rewrite ltW.
  split=> [psi|psi eb|psi eb].
  + rewrite /m -card_arm; apply: (search_failure (arm := @pulled h d')
      (law0 := fun f => data_law (N := N) (fair R d') (pol R f)) psi K _ hw).
    * by rewrite card_arm muln_gt0 h0.
    * move=> i f o hi; apply: eq_bigr => t _.
      by apply: (@traj_unpulled R h d' b f i 0) => //; exact: pulledE.
    * by move=> x i j /eqP -> /eqP [].
    * by move=> f; apply: data_law_law; [exact: fair_mild|exact: pol_proper].
    * by move=> i f; apply: data_law_law; [exact: bandit_mild|exact: pol_proper].
  + exact: lower_deterministic_output.
  + exact: lower_deterministic.
Qed.

(* [count-hard-instances], whole *)
Theorem count_hard_instances (d H : nat) (core : nat -> 'I_d) : #|place H core| = ((d - 1) * (H - 1))%N.
Proof. by rewrite card_place !subn1. Qed.

(* control: with H places in each column it is false *)
Theorem count_hard_instances_control : ~ (forall (d H : nat) (core : nat -> 'I_d), #|place H core| = ((d - 1) * H)%N).
Proof. by move=> h; have := h 2%N 1%N (fun=> ord0); rewrite count_hard_instances. Qed.

(* the number of actions of a state of layer h: d at the core state (d + 2 at s_0, as printed), 1 elsewhere *)
Definition actions d (core : nat -> 'I_d) (h : nat) (s : tstate d) : nat :=
  (match s with None => d + 2 | Some (inl j) => if j == core h then d else 1 | Some (inr _) => 1 end)%N.

(* [count-template], whole: in a layer h >= 1 the states are Some s *)
Theorem count_template d (core : nat -> 'I_d) (h : nat) : (1 <= h)%N ->
  #|{: 'I_d + bool}| = (d + 2)%N /\ (\sum_(s : 'I_d + bool) actions core h (Some s) = 2 * d + 1)%N.
Proof.
move=> _; split; first by rewrite card_sum card_ord card_bool.
rewrite big_sumType /= big_bool /= (bigD1 (core h)) //= eqxx (eq_bigr (fun=> 1%N)) => [|j /negPf -> //].
rewrite sum1_card (eq_card (_ : _ =i predC1 (core h))) => [|j]; last by rewrite !inE.
by rewrite cardC1 card_ord; have := ltn_ord (core h); lia.
Qed.

Theorem count_template_control : ~ (forall d (core : nat -> 'I_d) (h : nat), (1 <= h)%N ->
  (\sum_(s : 'I_d + bool) actions core h (Some s) = 2 * d)%N).
Proof. by move=> h; have := h 1%N (fun=> ord0) 1%N isT; rewrite (proj2 (count_template _ _)). Qed.

(* [text-only-choices], refuted: s_0 has more than one action and is no core state of a layer
   1, ..., H *)
Theorem text_only_choices : ~ (forall d H (core : nat -> 'I_d) (h : nat) (s : tstate d), (2 <= d)%N -> (h <= H)%N ->
  (1 < actions core h s)%N -> (1 <= h)%N /\ s = Some (inl (core h))).
Proof. by move=> h; have [] := h 2%N 1%N (fun=> ord0) 0%N None isT isT isT. Qed.

Theorem text_only_choices_corrected d H (core : nat -> 'I_d) (h : nat) (s : tstate d) : (h <= H)%N ->
  (1 < actions core h s)%N -> s = None \/ s = Some (inl (core h)).
Proof. by move=> _; case: s => [[j|x]|] //=; [case: eqP => // -> _; right|left]. Qed.

(* [ineq-one-arm-each], refuted: a deterministic policy that follows the cores pulls no arm *)
Theorem ineq_one_arm_each : ~ (forall d H (core : nat -> 'I_d) (f : tdeterministic d), (2 <= d)%N -> (2 <= H)%N ->
  (\sum_(i : place H core) tpulls f i = 1)%N).
Proof.
move=> h; have := h 2%N 2%N (fun=> ord0) (fun _ _ => ord0) isT isT.
rewrite big1 // => i _; apply/eqP; rewrite eqb0; apply/negP => /andP[_ /eqP e].
by have := place_core i (val i).1; rewrite /at_place eqxx -e eqxx.
Qed.

(* [ineq-one-arm-each], corrected: at most one arm, so at most K + 1 in K + 1 choices *)
Theorem ineq_one_arm_each_corrected d H (core : nat -> 'I_d) (f : tdeterministic d) :
  (\sum_(i : place H core) tpulls f i <= 1)%N.
Proof.
case: (pickP (@tpulls H d core f)) => [i hi|no]; last by rewrite big1 // => i _; rewrite no.
rewrite (bigD1 i) //= hi big1 // => j ji; apply/eqP; rewrite eqb0.
by apply: contra ji => hj; rewrite (tpulls_one hj hi).
Qed.

(* [value-hard-template-repaired], the values: every policy is worth H/2 + b q, so between
   H/2 and H/2 + b, and no policy loses more than b *)
Theorem value_hard_template_repaired (R : realFieldType) H d (core : nat -> 'I_d) (b : R) (i : place H core)
  (pi : tpolicy R d) : 0 <= b -> tproper pi ->
  tJ b (Some i) pi = H%:R / 2%:R + b * tq i pi /\ H%:R / 2%:R <= tJ b (Some i) pi <= H%:R / 2%:R + b.
Proof.
move=> b0 hp; rewrite template_value //; split=> //.
have /andP[q0 q1] := visits_bounds i H 0 [::] None hp.
by rewrite ler_addl mulr_ge0 //= ler_add2l ler_pimulr.
Qed.

(* controls: the steps of the proof on the smallest template, two actions and one arm; one trajectory *)
Section Smallest.
Variable R : realFieldType.
Let core (_ : nat) : 'I_2 := ord0.
Let one : 'I_2 := lift ord0 ord0.
Let there : place 2 core := Sub (one, one) isT.
(* the policy that plays 1 pulls the arm, the one that plays 0 follows the cores *)
Let pull : tdeterministic 2 := fun _ _ => one.
Let stay : tdeterministic 2 := fun _ _ => ord0.

Lemma pull_pulls : tpulls pull there.
Proof. by rewrite /tpulls /=; apply/andP; split=> //; apply/forallP => -[]. Qed.
Lemma pull_pulled : tpulled 2 core pull = Some there.
Proof.
rewrite /tpulled; case: pickP => [j hj|/(_ there)]; last by rewrite pull_pulls.
by rewrite (tpulls_one hj pull_pulls).
Qed.
Lemma stay_pulled : tpulled 2 core stay != Some there.
Proof.
by rewrite /tpulled; case: pickP => [j|_] //; rewrite /tpulls => /andP[_ h]; apply/eqP => -[e]; move: h; rewrite e.
Qed.

(* it pulls the arm once; if the trajectory ends in u1, it does not pull it again *)
Let ends_low (o : tdata 2 2 1) : bool := (tnth (o ord0) one).2 == Some (inr false).
Let twice : strategy (tdata 2 2 1) (tdeterministic 2) unit :=
  Strategy (fun h => if h is o :: _ then (if ends_low o then stay else pull) else pull) (fun _ => tt).
Let b : R := 2%:R^-1.
Lemma b_half : 0 <= b <= 2%:R^-1. Proof. by rewrite lexx invr_ge0 ler0n. Qed.
Let low : tdata 2 2 1 := [ffun=> [tuple (one, Some (inl one)); (one, Some (inr false))]].

(* without the condition that the arm was not pulled the two probabilities differ *)
Theorem eq_same_control : ~ (forall n d N (core : nat -> 'I_d) (b : R) (psi : strategy (tdata n d N) (tdeterministic d)
    unit) (i : place n core) k, 0 <= b <= 2%:R^-1 ->
  event psi (template_law core b (Some i)) k (fun h => tpulled n core (deploy psi h) == Some i) =
  event psi (template_law core b None) k (fun h => tpulled n core (deploy psi h) == Some i)).
Proof.
move=> h; have := h 2%N 2%N 1%N core b twice there 1%N b_half.
have laws (o : option (place 2 core)) x : is_law (template_law (N := 1) core b o x) by exact: template_laws b_half.
pose E := fun h : seq (tdata 2 2 1) => tpulled 2 core (deploy twice h) == Some there.
have flip o : event twice (template_law core b o) 1 E = 1 - event twice (template_law core b o) 1 (fun h => ~~ E h).
  by rewrite (event_not twice 1 E (laws o)) opprB addrC subrK.
rewrite -/E !flip => /addrI /oppr_inj; apply/eqP; rewrite eq_sym.
pose F o (h : seq (tdata 2 2 1)) := history (template_law core b o) twice [::] h * (~~ E h)%:R.
have sumE o : event twice (template_law core b o) 1 (fun h => ~~ E h) = \sum_t template_law core b o pull
  t * (ends_low t)%:R.
  rewrite /event (sum_tuple_cons 0%N (F o)); apply: eq_bigr => t _; rewrite (big_pred1 [tuple]) => [|x]; last first.
    by rewrite [x]tuple0; apply/esym/eqP.
  rewrite /F /E /= mulr1; case: (ends_low t); first by rewrite (negPf stay_pulled).
  by rewrite pull_pulled eqxx.
have step o (t : tdata 2 2 1) : template_law core b o pull t = ttraj b o (tpol R pull) 0 [::] None (t ord0).
  by rewrite /template_law /tdata_law big_ord1.
have zero : \sum_t template_law core b (Some there) pull t * (ends_low t)%:R = 0.
  apply: big1 => t _; rewrite step /ends_low; case: (tupleP (t ord0)) => -[a s] t'; case: (tupleP t') => -[a' s'] t''.
  rewrite (tnth_nth (a, s)) /=; case: eqP => [->|_]; last by rewrite mulr0.
  rewrite /tpol /tkernel /=; case: (eqVneq a one) => [->|_]; last by rewrite !mul0r.
  case: (eqVneq s (Some (inl one))) => [->|_]; last by rewrite mulr0 !mul0r.
  by rewrite /= /tbias /at_place /= subrr !(mulr0, mul0r).
rewrite !sumE zero; apply: lt0r_neq0; rewrite (bigD1 low) //=; apply: ltr_paddr.
  by apply: sumr_ge0 => t _; rewrite mulr_ge0 ?ler0n //; case: (laws None pull).
rewrite step /ends_low !ffunE (tnth_nth (one, None)) /= /tpol /tkernel /= subr0 !mul1r !mulr1.
by rewrite invr_gt0 ltr0n.
Qed.

(* K - 1 in the place of K is false: one deployment pulls the arm *)
Theorem ineq_half_repaired_control : ~ (forall n d N (core : nat -> 'I_d) (b : R)
    (psi : strategy (tdata n d N) (tdeterministic d) unit) K, 0 <= b <= 2%:R^-1 ->
  \sum_i event psi (template_law core b None) K (fun h => ~~ unpulled (tpulled n core) psi i h) <= K.-1%:R).
Proof.
move=> h; have := h 2%N 2%N 1%N core b twice 1%N b_half; rewrite leNgt => /negP []; rewrite (bigD1 there) //=.
have laws x : is_law (template_law (N := 1) core b (None : option (place 2 core)) x) by exact: template_laws b_half.
apply: ltr_paddr.
  by apply: sumr_ge0 => i _; apply: sumr_ge0 => t _; rewrite mulr_ge0 ?ler0n // history_ge0.
have -> : event twice (template_law core b None) 1 (fun h => ~~ unpulled (tpulled 2 core) twice there h) = 1.
  rewrite -(history_total twice 1 [::] laws); apply: eq_bigr => t _; case: (tupleP t) => o t'.
  by rewrite /unpulled /= pull_pulled eqxx mulr1.
exact: ltr01.
Qed.

(* without the summand 2/|M| it is false: two instances, no deployment, and the output names the arm *)
Theorem ineq_tenth_control : ~ (forall n d N (core : nat -> 'I_d) (b : R) (X : Type)
    (psi : strategy (tdata n d N) (tdeterministic d) X) (name : X -> option (place n core)) K (s0 : R),
  0 <= b <= 2%:R^-1 -> s0 <= 1 -> (2 * K <= d.-1 * n.-1)%N -> let M := (d.-1 * n.-1).+1 in
  (s0 + \sum_i names_arm psi name (template_law core b (Some i)) K i) / M%:R <= 2%:R^-1).
Proof.
move=> h; have := h 2%N 2%N 1%N core b unit twice (fun _ => Some there) 0%N 1 b_half (lexx 1) isT.
rewrite /= leNgt => /negP []; apply: (@lt_le_trans _ _ 1); first by rewrite invf_lt1 ?ltr0n // ltr1n.
rewrite ler_pdivl_mulr ?ltr0n // mul1r -[2%:R]/(1 + 1 : R) ler_add2l (bigD1 there) //= -[leLHS]addr0; apply: ler_add.
  rewrite /names_arm /event (big_pred1 [tuple]) => [|x]; last by rewrite [x]tuple0; apply/esym/eqP.
  by rewrite /= mul1r ?eqxx.
apply: sumr_ge0 => i _; apply: sumr_ge0 => t _; rewrite mulr_ge0 ?ler0n // history_ge0 // => x;
  exact: template_laws b_half.
Qed.
End Smallest.
