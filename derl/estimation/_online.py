"""The loop of `derl.estimation.online` compiled by numba, with its cache on disk: one file, so that the cache is right.

Same steps, plain loops; features are also stored column by column, so that inner loops run over all pairs at once. A
test compares it with the readable loop, episode by episode.
"""

from __future__ import annotations

import numpy as np

from derl.inputs.compiled import kernel


@kernel
def _plan(columns, rewards, available, operator, squares, beta, reward_free, tie, q, norm, w, values, policy):
    """One backward pass; `values` (S,) ends as those of layer 1, `policy` (H, S) is overwritten."""
    horizon, n_states, n_actions = rewards.shape
    dim, pairs = len(w), n_states * n_actions
    values[:] = 0.0
    for h in range(horizon - 1, -1, -1):
        for i in range(dim):
            total = 0.0
            for t in range(n_states):
                total += operator[h, i, t] * values[t]
            w[i] = total
        q[:] = 0.0
        for i in range(dim):
            for x in range(pairs):
                q[x] += columns[h, i, x] * w[i]
        flat, payment, top = squares[h].ravel(), rewards[h].ravel(), float(horizon)
        for x in range(pairs):
            norm[x] = beta * np.sqrt(flat[x] if flat[x] > 0.0 else 0.0)
        if reward_free:
            for x in range(pairs):
                capped = norm[x] if norm[x] < top else top
                total = q[x] + capped / top + norm[x]
                q[x] = total if total < top else top
        else:
            for x in range(pairs):
                total = q[x] + payment[x] + norm[x]
                q[x] = total if total < top else top
        for s in range(n_states):
            best = -np.inf
            for a in range(n_actions):
                if available[h, s, a] and q[s * n_actions + a] > best:
                    best = q[s * n_actions + a]
            values[s] = best
            bar = best - tie * max(1.0, abs(best))
            for a in range(n_actions):
                if available[h, s, a] and q[s * n_actions + a] >= bar:
                    policy[h, s] = a
                    break


@kernel
def _add(phi, columns, inverse, operator, squares, s, a, t, u, seen, inner):
    """A rank-one update of one layer."""
    n_states, n_actions, dim = phi.shape
    quadratic = 0.0
    for i in range(dim):
        u[i] = 0.0
        for j in range(dim):
            u[i] += inverse[i, j] * phi[s, a, j]
        quadratic += phi[s, a, i] * u[i]
    c = 1.0 / (1.0 + quadratic)
    for x in range(n_states):
        seen[x] = 0.0
        for i in range(dim):
            seen[x] -= phi[s, a, i] * operator[i, x]
    seen[t] += 1.0
    for i in range(dim):
        for x in range(n_states):
            operator[i, x] += c * u[i] * seen[x]
        for j in range(dim):
            inverse[i, j] -= c * u[i] * u[j]
    inner[:] = 0.0
    for i in range(dim):
        for x in range(n_states * n_actions):
            inner[x] += columns[i, x] * u[i]
    flat = squares.ravel()
    for x in range(n_states * n_actions):
        flat[x] -= c * inner[x] * inner[x]


@kernel
def _columns(phi):
    """Features (H, S, A, d) as (H, d, S A); numba's own `transpose` takes seconds to compile."""
    horizon, n_states, n_actions, dim = phi.shape
    columns = np.empty((horizon, dim, n_states * n_actions))
    for h in range(horizon):
        for s in range(n_states):
            for a in range(n_actions):
                for i in range(dim):
                    columns[h, i, s * n_actions + a] = phi[h, s, a, i]
    return columns


@kernel
def _step(function, uniform):
    """The first cell with F > u."""
    cell = 0
    while function[cell] <= uniform:
        cell += 1
    return cell


@kernel
def play(start, moves, uniforms, phi, rewards, available, inverse, operator, squares, counts, policies, starts, firsts,
         beta, reward_free, width, target, noise, episodes, spent, tie):
    """A block of episodes; fills `policies`, `starts`, `firsts`; returns how many, episodes and widths so far."""
    horizon, n_states, n_actions, dim = phi.shape
    columns = _columns(phi)
    q, inner, w, u = np.empty(n_states * n_actions), np.empty(n_states * n_actions), np.empty(dim), np.empty(dim)
    values, seen = np.empty(n_states), np.empty(n_states)
    policy, found = np.zeros((horizon, n_states), np.intp), 0
    for episode in range(len(uniforms)):
        _plan(columns, rewards, available, operator, squares, beta, reward_free, tie, q, inner, w, values, policy)
        same = found > 0
        if same:
            last = policies[found - 1]
            for h in range(horizon):
                for s in range(n_states):
                    if last[h, s] != policy[h, s]:
                        same = False
                        break
                if not same:
                    break
        if not same:
            starts[found] = episode
            for s in range(n_states):
                firsts[found, s] = values[s]
                for h in range(horizon):
                    policies[found, h, s] = policy[h, s]
            found += 1
        state = _step(start, uniforms[episode, 0])
        for h in range(horizon):
            action = policy[h, state]
            following = _step(moves[h, state, action], uniforms[episode, h + 1])
            spent += min(width * beta * np.sqrt(max(squares[h, state, action], 0.0)), horizon)
            _add(phi[h], columns[h], inverse[h], operator[h], squares[h], state, action, following, u, seen, inner)
            counts[h, state, action, following] += 1.0
            state = following
        episodes += 1
        if spent / episodes + noise / np.sqrt(episodes) <= target:
            break
    return found, episodes, spent
