"""A toy algorithm: deploy the uniform policy, plan on all data without a bonus, deploy the plan, and so on."""

from derl.algorithms import Outcome
from derl.algorithms.dataset import Regressions
from derl.deployment import known_part
from derl.mdp.policies import uniform


def plan_and_deploy(deployer, epsilon, delta, rounds=2):
    """One uniform batch and then `rounds` batches of the plan on all data."""
    known = known_part(deployer)
    counts = deployer.deploy(uniform(known)).counts.astype(float)
    for _ in range(rounds):
        policy = Regressions(known, counts.copy()).plan_rewards(known.rewards)
        counts += deployer.deploy(policy).counts
    data = Regressions(known, counts)
    return Outcome(data.plan_rewards(known.rewards), rounds + 1, (rounds + 1) * deployer.batch_size,
                   converged=True, trace=(), beta=0.0, dataset=data)
