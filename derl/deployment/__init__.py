"""Floor 2: N trajectories drawn as exact counts, and the deployment protocol of Definition 2.1."""

from derl.deployment.counts import Batch, CountSampler, deploy_counts
from derl.deployment.known import KnownPart, known_part
from derl.deployment.layer_sums import LayerSums
from derl.deployment.log import LogRow
from derl.deployment.protocol import Deployer, ProtocolViolation
from derl.deployment.sizes import LARGEST_EXACT, MODES, InvalidDeployment, InvalidSize, safe_multinomial
from derl.deployment.sums import Sums
from derl.deployment.trajectories import Trajectories, counts_of, sample

__all__ = ["LARGEST_EXACT", "MODES", "Batch", "CountSampler", "Deployer", "InvalidDeployment", "InvalidSize",
           "KnownPart", "LayerSums", "LogRow", "ProtocolViolation", "Sums", "Trajectories", "counts_of", "known_part",
           "deploy_counts", "safe_multinomial", "sample"]
