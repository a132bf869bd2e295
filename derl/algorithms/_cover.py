"""The inner loop of Algorithm 2 compiled by numba, with its cache on disk: many passes without a new policy.

The same passes as those of `derl.algorithms.policy_cover`: invert Sigma~, plan for the uncertainty in layer h, count
the greedy policy. It ends where Python has something to do: a policy that was never met, a reward below the threshold,
the last pass. Features are stored column by column, so that inner loops run over all pairs at once. A test compares
both.
"""

from __future__ import annotations

import numpy as np

from derl.inputs.compiled import kernel


@kernel(error_model="numpy")
def _invert(matrix, lower, inverse):
    """The inverse of a positive definite matrix, by its Cholesky factor; false where it is not."""
    dim = len(matrix)
    for j in range(dim):
        total = matrix[j, j]
        for k in range(j):
            total -= lower[j, k] * lower[j, k]
        if not total > 0.0:
            return False
        lower[j, j] = np.sqrt(total)
        for i in range(j + 1, dim):
            total = matrix[i, j]
            for k in range(j):
                total -= lower[i, k] * lower[j, k]
            lower[i, j] = total / lower[j, j]
    for j in range(dim):  # the inverse of the factor, into the lower half of `inverse`
        inverse[j, j] = 1.0 / lower[j, j]
        for i in range(j + 1, dim):
            total = 0.0
            for k in range(j, i):
                total -= lower[i, k] * inverse[k, j]
            inverse[i, j] = total / lower[i, i]
    for i in range(dim):
        for j in range(i + 1):
            total = 0.0
            for k in range(i, dim):
                total += inverse[k, i] * inverse[k, j]
            lower[i, j] = total
    for i in range(dim):
        for j in range(i + 1):
            inverse[i, j] = inverse[j, i] = lower[i, j]
    return True


@kernel(error_model="numpy")
def _greedy(q, n_actions, tie, floor, values, actions):
    for s in range(len(values)):
        best = -np.inf
        for x in range(s * n_actions, (s + 1) * n_actions):
            best = max(best, q[x])
        bar = best - tie * max(1.0, abs(best))
        x = s * n_actions
        while q[x] < bar:
            x += 1
        actions[s] = x - s * n_actions
        values[s] = max(best, floor)


@kernel(error_model="numpy")
def _plan(columns, operators, bonuses, closed, inverse, squared, n_actions, floor, tie, q, values, policy):
    """SolveOptQ for the uncertainty of layer h as the only reward."""
    layers, dim, pairs = columns.shape
    last = columns[layers - 1]
    q[:] = 0.0
    for i in range(dim):
        for j in range(i + 1):
            weight = inverse[i, j] * (1.0 if i == j else 2.0)
            for x in range(pairs):
                q[x] += weight * last[i, x] * last[j, x]
    for x in range(pairs):
        root = max(q[x], 0.0)
        q[x] = -np.inf if closed[x] else root if squared else np.sqrt(root)
    _greedy(q, n_actions, tie, -np.inf, values, policy[layers - 1])  # the reward itself is not clipped
    for t in range(layers - 2, -1, -1):
        for x in range(pairs):
            q[x] = bonuses[t, x]
        for i in range(dim):
            weight = 0.0
            for s in range(len(values)):
                weight += operators[t, i, s] * values[s]
            for x in range(pairs):
                q[x] += weight * columns[t, i, x]
        for x in range(pairs):
            q[x] = min(q[x], 1.0)
        _greedy(q, n_actions, tie, floor, values, policy[t])


@kernel(error_model="numpy")
def forward(columns, operators, bonuses, closed, initial, n_actions, squared, floor, tie, extra, threshold, lowest,
            known, estimates, dips, matrix, found, values, policy, passes):
    """Run passes; overwrite `matrix` (d, d) with Sigma~, fill `found` and `values` (n,) with policies and V.

    `policy` ends as that of the last pass, which is not counted. Returns the number of passes, whether the last one is
    whole (otherwise estimates have become too low for this loop), and the lower bound of the eigenvalues: numbers and
    no array, for which Python would be asked, and a pending Ctrl-C raised where nobody can hear it.
    """
    layers, dim, pairs = columns.shape
    n_states = len(initial)
    q, plan = np.empty(pairs), np.empty(n_states)
    lower, inverse, whole = np.zeros((dim, dim)), np.zeros((dim, dim)), np.empty((dim, dim))
    for done in range(passes):
        if lowest < 1:
            return done, False, lowest
        for i in range(dim):
            for j in range(dim):
                whole[i, j] = matrix[i, j] + extra[i, j]
        if not _invert(whole, lower, inverse):
            return done, False, lowest
        _plan(columns, operators, bonuses, closed, inverse, squared, n_actions, floor, tie, q, plan, policy)
        value = 0.0
        for s in range(n_states):
            value += initial[s] * plan[s]
        values[done] = value
        if value <= threshold:
            return done + 1, True, lowest
        if done == passes - 1:
            return passes, True, lowest
        index = -1
        for m in range(len(known)):
            same = True
            for t in range(layers):
                for s in range(n_states):
                    if known[m, t, s] != policy[t, s]:
                        same = False
                        break
                if not same:
                    break
            if same:
                index = m
                break
        if index < 0:
            return done + 1, True, lowest
        found[done] = index
        lowest += dips[index]
        for i in range(dim):
            for j in range(dim):
                matrix[i, j] += estimates[index, i, j]
    return passes, True, lowest
