"""A cluster of dask: its address is looked at before anything waits for it, and who it is can be proved by TLS.

Dask's workers and its scheduler send Python objects, and reading one can run any code. So a scheduler that is not one's
own runs code here, and everybody who can reach a scheduler without TLS runs code on its workers.
"""

from __future__ import annotations

import gc
import re
import socket
from pathlib import Path

from derl.experiments.spec import InvalidSpec
from derl.inputs import shown
from derl.inputs.parts import part

ADDRESS = re.compile(r"(?:(?P<protocol>tcp|tls)://)?(?P<host>[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.%]+\]):(?P<port>[0-9]{1,5})")
ALLOWED = "an address such as tcp://10.0.0.1:8786, or tls://10.0.0.1:8786 with certificates"
PATIENCE = 3  # seconds for a connection, and for the first answer


def connected(address: str, security=None):
    """A client of the scheduler at an address, as a context.

    Parameters
    ----------
    address : str
        Such as tcp://10.0.0.1:8786.
    security : distributed.Security or None
        Certificates for TLS; None for what dask's own configuration says.

    Raises
    ------
    InvalidSpec
        The address is none, or no scheduler answers there.
    Unavailable
        dask.distributed is not installed.
    """
    Client, config = part("distributed", "a scheduler").Client, part("dask", "a scheduler").config
    found = ADDRESS.fullmatch(address) if isinstance(address, str) else None
    if not found or not 0 < int(found["port"]) < 2**16:
        raise InvalidSpec(f"the scheduler is {shown(address)}; it must be {ALLOWED}")
    try:
        with socket.create_connection((found["host"].strip("[]"), int(found["port"])), PATIENCE) as probe:
            if found["protocol"] != "tls" and not probe.recv(1):  # a scheduler speaks first
                raise OSError("what answers is no scheduler of dask")
        with config.set({"distributed.comm.timeouts.connect": PATIENCE}):  # dask's own patience is ten times as long
            return Client(address, timeout=PATIENCE, set_as_default=False, security=security)
    except (OSError, TimeoutError, ValueError, TypeError, RuntimeError) as error:
        reason = " ".join(str(error).split())[:200]
    # The client that did not start is in a cycle. Were it collected while another one starts, it would wait for the
    # lock that the other holds, in the same thread and without end.
    gc.collect()
    raise InvalidSpec(f"no scheduler answers at {address}: {reason}")


def certificates(authority, certificate, key):
    """What TLS needs: the file of the authority that signed, one's own certificate, and its key; in the format PEM.

    Returns
    -------
    distributed.Security

    Raises
    ------
    InvalidSpec
    """
    for name, path in (("authority", authority), ("certificate", certificate), ("key", key)):
        if path is None or not Path(path).is_file():
            raise InvalidSpec(f"the {name} for TLS is {shown(path)}; needed are three files in the format PEM")
    Security = part("distributed", "a scheduler").Security
    return Security(require_encryption=True, tls_ca_file=str(authority), tls_client_cert=str(certificate),
                    tls_client_key=str(key))
