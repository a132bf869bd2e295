"""Kernels of the build are forked from a process that has already imported what most pages import.

A kernel that starts by itself imports IPython, numpy, sympy, matplotlib and derl, which is most of what a short page
costs. Names are not bound by that: a page still has to import what it uses. Only on Linux; elsewhere, and where the
process does not come up, kernels start by themselves.
"""

from __future__ import annotations

import gc
import json
import os
import pkgutil
import select
import signal
import sys
import threading
import weakref
from contextlib import contextmanager, suppress
from importlib import import_module
from importlib.metadata import EntryPoint
from subprocess import PIPE, Popen

from jupyter_client.provisioning import KernelProvisionerFactory, LocalProvisioner

NAME = "forked"
IMPORTED = ("ipykernel.ipkernel", "ipykernel.kernelapp", "matplotlib.pyplot", "matplotlib.backends.backend_svg",
            "scipy.optimize", "scipy.stats", "sympy")
SHOWN = "derl.show"  # all of its modules but the labs, which pages do not open
GARBAGE = 50_000  # objects between two looks for cycles, as in the workers that run the checks
WORTH = 4  # kernels; what they save has to be more than what importing everything costs
CLAIMS = "derl.claims"
INLINE = "module://matplotlib_inline.backend_inline"  # as ipykernel sets it; read when matplotlib is imported


class Forked:
    """A process that is no child of this one, with as much of `subprocess.Popen` as a kernel manager asks for."""

    stdin = stdout = stderr = None

    def __init__(self, pid: int):
        self.pid, self._handle = pid, os.pidfd_open(pid)
        weakref.finalize(self, os.close, self._handle)

    def poll(self) -> int | None:
        """None while it runs; how it ended, only its parent knows."""
        return self.wait(0)

    def wait(self, timeout: float | None = None) -> int | None:
        return 0 if select.select([self._handle], [], [], timeout)[0] else None

    def send_signal(self, number: int) -> None:
        signal.pidfd_send_signal(self._handle, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class ForkServer:
    """The process from which kernels are forked; it ends with this object's `close`, or with the build."""

    def __init__(self):
        self._asking = threading.Lock()  # pages are executed by several threads
        self._process = Popen([sys.executable, "-P", __file__], stdin=PIPE, stdout=PIPE, text=True)

    def fork(self, arguments: list[str], cwd: str, env: dict[str, str]) -> Forked:
        """Start a kernel with these arguments of its application.

        Raises
        ------
        RuntimeError
            The process has ended.
        """
        with self._asking:
            try:
                print(json.dumps([arguments, cwd, env]), file=self._process.stdin, flush=True)
                return Forked(int(self._process.stdout.readline()))
            except (OSError, ValueError) as error:
                raise RuntimeError(f"no kernel can be forked: {error}") from None

    def close(self) -> None:
        with suppress(BrokenPipeError):  # it had ended before, and had said why
            self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


class ForkedProvisioner(LocalProvisioner):
    """Launches kernels in the fork server that is open."""

    fork_server: ForkServer | None = None

    async def launch_kernel(self, cmd: list[str], **kwargs):
        folder = str(kwargs.get("cwd") or os.getcwd())
        self.process = self.fork_server.fork(cmd[cmd.index("-f"):], folder, kwargs["env"])
        self.pid = self.pgid = self.process.pid
        return self.connection_info


@contextmanager
def fork_server(kernels: int):
    """Kernels that are started within this block are forked, where that is possible and so many are worth it."""
    if sys.platform != "linux" or kernels < WORTH:
        yield
        return
    factory = KernelProvisionerFactory.instance()
    before = factory.default_provisioner_name
    factory.provisioners[NAME] = EntryPoint(NAME, f"{__name__}:{ForkedProvisioner.__name__}", factory.GROUP_NAME)
    ForkedProvisioner.fork_server, factory.default_provisioner_name = ForkServer(), NAME
    try:
        yield
    finally:
        factory.default_provisioner_name = before
        ForkedProvisioner.fork_server.close()


def serve() -> None:
    """Import, then fork a kernel for every line that comes in, and answer with its number."""
    os.environ.setdefault("MPLBACKEND", INLINE)
    gc.disable()  # everything that is imported stays
    import_module(SHOWN)  # imports matplotlib without the settings of a user
    for name in IMPORTED:
        import_module(name)
    for module in pkgutil.walk_packages(import_module(SHOWN).__path__, f"{SHOWN}."):
        if ".labs" not in module.name:
            import_module(module.name)
    import_module(CLAIMS).PAPER.register()
    if threading.active_count() > 1:
        sys.exit("a fork would lose the threads that an import has started")
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for kernels that have ended
    gc.freeze()
    gc.set_threshold(GARBAGE)
    gc.enable()
    for line in sys.stdin:
        arguments, cwd, env = json.loads(line)
        pid = os.fork()
        if not pid:
            become_kernel(arguments, cwd, env)
            return
        print(pid, flush=True)


def become_kernel(arguments: list[str], cwd: str, env: dict[str, str]) -> None:
    """What `python -m ipykernel_launcher` does, in a session of its own that ends with the fork server."""
    from ipykernel.kernelapp import IPKernelApp

    parent = os.getppid()
    os.setsid()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.chdir(cwd)
    os.environ |= env
    IPKernelApp.launch_instance(argv=[*arguments, f"--IPKernelApp.parent_handle={parent}"])


if __name__ == "__main__":
    serve()
