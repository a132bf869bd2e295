"""Ridge regression on counts, elliptical norms, and the optimistic backup that the algorithms share."""

from derl.estimation.backup import BACKUP_VERSIONS, Backup, optimistic_backup
from derl.estimation.design import Design, fit, fit_sums

__all__ = ["BACKUP_VERSIONS", "Backup", "Design", "fit", "fit_sums", "optimistic_backup"]
