"""The four sizes of an instance, read off the shape of its features."""

from __future__ import annotations


class Sized:
    """Whatever has features ``phi`` of shape (H, S, A, d)."""

    @property
    def horizon(self) -> int:
        """H, the number of layers."""
        return self.phi.shape[0]

    @property
    def n_states(self) -> int:
        """S, the number of states."""
        return self.phi.shape[1]

    @property
    def n_actions(self) -> int:
        """A, the number of actions."""
        return self.phi.shape[2]

    @property
    def dim(self) -> int:
        """d, the dimension of the features."""
        return self.phi.shape[3]
