r"""Searching in floats: the best policies for a direction, and directions that are hard to reach.

With F(theta) = max_pi theta' Lambda_pi theta, every policy gives a lower bound of F everywhere, and every direction an
upper bound of nu_h^2 = min F. What is found here is a proposal; only what is recomputed in whole numbers is reported.
"""

from __future__ import annotations

import warnings

import numpy as np
import scipy

from derl.mdp.linear_mdp import LinearMDP

DIGITS = 11  # policies whose matrices agree to so many digits count as one
NEAR = 40  # policies that a local search looks at


class Pool:
    """Deterministic policies found so far and their matrices.

    Parameters
    ----------
    layer : int
        h = 1..H.
    moment : {"second", "first"}
        "second": the matrix of a policy is E[phi phi'], so that F belongs to nu. "first": it is E[phi] E[phi]', so that
        F belongs to the explorability coefficient.

    Attributes
    ----------
    policies : list of (h, S) int
    matrices : (K, d, d)
    means : (K, d)
        E[phi].
    """

    def __init__(self, mdp: LinearMDP, layer: int, moment: str = "second"):
        self.dim, self.moment, self.policies = mdp.dim, moment, []
        self._phi, self._mu = mdp.phi[:layer], mdp.mu[:layer]
        self._available, self._initial = mdp.available[:layer], mdp.initial
        self._matrices, self._means, self._known = np.zeros((0, mdp.dim, mdp.dim)), np.zeros((0, mdp.dim)), set()

    @property
    def matrices(self) -> np.ndarray:
        """Matrices of the policies, (K, d, d)."""
        return self._matrices

    @property
    def means(self) -> np.ndarray:
        """Mean features of the policies, (K, d)."""
        return self._means

    def peak(self, theta: np.ndarray) -> np.ndarray:
        """F at unit vectors theta (n, d), shape (n,); the maximising policies join the pool."""
        if self.moment == "second":
            return self.price(theta[:, :, None] * theta[:, None, :])
        features = self._phi[-1] @ np.concatenate([theta, -theta]).T
        values, policies = self._plan(np.moveaxis(features, 2, 0))
        self._add(policies)
        return (values.reshape(2, -1) ** 2).max(axis=0)

    def price(self, rho: np.ndarray) -> np.ndarray:
        """max_pi tr(Lambda_pi rho) for matrices rho (n, d, d); the maximising policies join the pool."""
        values, policies = self.answer(rho)
        self._add(policies)
        return values

    def answer(self, rho: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """max_pi tr(Lambda_pi rho) for matrices rho (n, d, d), and policies (n, h, S) that attain it."""
        features = self._phi[-1].reshape(-1, self.dim)
        return self._plan(np.einsum("npj,pj->np", features @ rho, features))

    def _plan(self, rewards):
        """Backward induction for n rewards at once: values (n,) and policies (n, h, S)."""
        n, (layers, states, actions) = len(rewards), self._available.shape
        q, policies = rewards.reshape(n, states, actions), np.empty((n, layers, states), dtype=np.intp)
        for k in reversed(range(layers)):
            q = np.where(self._available[k], q, -np.inf)
            policies[:, k], v = q.argmax(axis=2), q.max(axis=2)
            if k:
                weights = v @ self._mu[k - 1].T
                q = (weights @ self._phi[k - 1].reshape(-1, self.dim).T).reshape(n, states, actions)
        return v @ self._initial, policies

    def _add(self, policies):
        found, means = self._moments(policies)
        fresh = []
        for i, matrix in enumerate(found):
            key = (np.round(matrix, DIGITS) + 0.0).tobytes()
            if key not in self._known:
                self._known.add(key)
                fresh.append(i)
        self.policies += [policies[i] for i in fresh]
        self._matrices = np.concatenate([self._matrices, found[fresh]])
        self._means = np.concatenate([self._means, means[fresh]])

    def _moments(self, policies):
        states = np.arange(len(self._initial))
        mass = np.broadcast_to(self._initial, (len(policies), len(states)))
        for k in range(len(self._phi) - 1):
            mass = np.einsum("ns,nsi->ni", mass, self._phi[k][states, policies[:, k]]) @ self._mu[k]
        chosen = self._phi[-1][states, policies[:, -1]]
        means = np.einsum("ns,nsi->ni", mass, chosen)
        if self.moment == "second":
            return np.einsum("nsi,nsj->nij", chosen * mass[:, :, None], chosen), means
        return means[:, :, None] * means[:, None, :], means


def descend(pool: Pool, basis: np.ndarray, x: np.ndarray, rounds: int = 15) -> tuple[float, np.ndarray]:
    """A local minimum of F(basis x)/|basis x|^2 from a start x (r,): (value, x). A local search, nothing more.

    Each round minimises the largest of the forms that are high at x, then asks the pool for what it missed.
    """
    best, best_x = np.inf, x
    gram = basis.T @ basis
    for _ in range(rounds):
        x = x / np.sqrt(x @ gram @ x)
        value = float(pool.peak((basis @ x)[None])[0])
        if value >= best * (1 - 1e-12):
            break
        best, best_x = value, x
        heights = np.einsum("i,kij,j->k", basis @ x, pool.matrices, basis @ x)
        near = np.argsort(-heights)[:NEAR]
        x = _minimise(basis.T @ pool.matrices[near] @ basis, gram, x, heights.max())
    return best, best_x


def _minimise(forms, gram, x, level):
    """min t with x' A_k x <= t for all forms and x' gram x = 1, by sequential quadratic programming."""
    slopes, ends = -2 * forms, np.append(np.zeros(len(x)), 1.0)
    constraints = [
        {"type": "ineq", "fun": lambda z: z[-1] - np.einsum("i,kij,j->k", z[:-1], forms, z[:-1]),
         "jac": lambda z: np.hstack([slopes @ z[:-1], np.ones((len(forms), 1))])},
        {"type": "eq", "fun": lambda z: z[:-1] @ gram @ z[:-1] - 1, "jac": lambda z: np.append(2 * gram @ z[:-1], 0.0)}]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the search may leave its bounds by rounding; its result is checked anyway
        found = scipy.optimize.minimize(
            lambda z: z[-1], np.r_[x, level], jac=lambda z: ends.copy(),
            method="SLSQP", constraints=constraints, options={"ftol": 1e-15, "maxiter": 200})
    good = np.isfinite(found.x).all() and found.x[:-1] @ gram @ found.x[:-1] > 0
    return found.x[:-1] if good else x


def lowest(pool: Pool, basis: np.ndarray, starts: np.ndarray) -> tuple[float, np.ndarray]:
    """The best of several descents, from starts (n, r)."""
    return min((descend(pool, basis, x) for x in starts), key=lambda found: found[0])
