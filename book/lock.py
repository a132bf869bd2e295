import numpy as np

rng = np.random.default_rng(0)
code, bias, H, S, A, d = (1, 2, 0), 0.2, 4, 3, 3, 5   # three wheels, and a layer that pays
phi = np.zeros((S, A, d))               # state 0: all digits right; 1, 2: one was wrong
phi[0, :, :3], phi[1, :, 3], phi[2, :, 4] = np.eye(3), 1, 1
P = np.zeros((H, S, A, S))              # P[h, s, a] is the law of the next state
P[:, 0, :, 1:], P[:, 1, :, 1], P[:, 2, :, 2] = 0.5, 1, 1      # a wrong digit is a fair coin
P[[0, 1], 0, code[:2]], P[2, 0, code[2]] = (1, 0, 0), (0, 0.5 - bias, 0.5 + bias)
r = np.full((H, S, A), 0.5)             # r[h, s, a] is the reward
r[0], r[3, 1], r[3, 2] = 0, 0, 1

def deploy(policy, N):
    """Counts n[h, s, a, t] of N trajectories that act by policy[h, s, a]."""
    n, here = np.zeros((H, S, A, S), np.int64), np.array([N, 0, 0])
    for h in range(H):
        n[h] = rng.multinomial(rng.multinomial(here, policy[h]), P[h])
        here = n[h].sum(axis=(0, 1))
    return n
