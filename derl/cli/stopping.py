"""Ctrl-C that nothing swallows.

Python drops what is raised in a callback of a weak reference or in `__del__`, and some libraries have an `except:` that
goes on: a KeyboardInterrupt that falls there is gone, and the command would run to its end. So it is raised again until
it is on its way, and a command in which it was heard never ends as if it had not been.

Only small modules are imported here: this is at work while all others are imported.
"""

import _thread
import os
import signal
import sys
import time
from contextlib import contextmanager

MISTAKE = 70  # exit status after an exception that nobody expected; Python's own, 1, is that of a verdict
AGAIN = 0.2  # seconds between two


@contextmanager
def stoppable():
    """Raise KeyboardInterrupt out of this block for a Ctrl-C that is heard in it, whatever becomes of the first one.

    Where Ctrl-C does not arrive (another thread) or somebody else has said what it does, nothing is changed.
    """
    if _thread.get_ident() != _main_thread() or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    ctrl_c, unraisable = _CtrlC(), sys.unraisablehook

    def hook(dropped):
        if not issubclass(dropped.exc_type, KeyboardInterrupt):  # those come again, and need no traceback
            unraisable(dropped)

    sys.unraisablehook = hook
    signal.signal(signal.SIGINT, ctrl_c.press)
    try:
        yield
    finally:
        ctrl_c.end()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.unraisablehook = unraisable
        if ctrl_c.pressed:  # an import that was cut off may also have ended in any other error
            raise KeyboardInterrupt from None


class _CtrlC:
    """What is known of it, with nothing in the handler that waits for a lock which the code below it may hold."""

    def __init__(self):
        self.pressed = self.over = False
        self.process, self.sending = os.getpid(), _thread.allocate_lock()

    def press(self, number, frame):
        """The handler of the signal."""
        if os.getpid() != self.process:  # a process forked from this one
            raise KeyboardInterrupt
        if not self.pressed:
            self.pressed = True
            _thread.start_new_thread(self.repeat, (_thread.get_ident(),))
        if not self.over and not _on_its_way(sys.exc_info()[1]):
            raise KeyboardInterrupt

    def repeat(self, thread: int):
        """Press again and again; a real signal, which ends a wait in the main thread, too."""
        while True:
            time.sleep(AGAIN)
            with self.sending:
                if self.over:
                    return
                if hasattr(signal, "pthread_kill"):
                    signal.pthread_kill(thread, signal.SIGINT)
                else:
                    _thread.interrupt_main()

    def end(self):
        """No further press is sent, and one that has been sent raises nothing."""
        self.over = True
        with self.sending:
            pass


def _main_thread() -> int:
    threading = sys.modules.get("threading")  # who has not imported it has no other thread
    return threading.main_thread().ident if threading else _thread.get_ident()


def _on_its_way(error: BaseException | None) -> bool:
    """Whether code that cleans up after a KeyboardInterrupt is running; it is not to be cut off by the next one."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None
