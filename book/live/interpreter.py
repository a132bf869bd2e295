"""The interpreter at build time: the module that the pages get, run by wasmtime on the same memory and the same files.

Time stands still and random numbers are fixed while an image is made, so that it comes out the same.
"""

from __future__ import annotations

import itertools
import tempfile
from functools import cache
from pathlib import Path

LIBRARY = "/usr/local/lib"
ZIP = f"{LIBRARY}/python315.zip"
FONTS = f"{ZIP}/matplotlib/mpl-data"
BOOK = "/book"
PAGE = 65536
STACK = 4 << 20
MOST = 1 << 30  # bytes of memory; a tab has no more to give
MOMENT = 1_767_225_600_000_000_000  # 2026-01-01, in nanoseconds


@cache
def compiled(module: Path, kept: Path):
    """The module as native code; compiling takes a minute, so it is kept for the next build."""
    import wasmtime

    config = wasmtime.Config()
    wasmtime._ffi.wasmtime_config_async_stack_size_set(config.ptr(), 2 * STACK)  # no smaller than the other
    config.max_wasm_stack = STACK
    config.cranelift_opt_level = "none"  # compiling takes longer than running
    config.wasm_exceptions = True
    config.epoch_interruption = True
    engine = wasmtime.Engine(config)
    if not kept.is_file():
        kept.write_bytes(wasmtime.Module(engine, module.read_bytes()).serialize())
    return engine, wasmtime.Module.deserialize_file(engine, str(kept))


class Interpreter:
    """One Python in WebAssembly.

    Parameters
    ----------
    code, memory
        The module, and the memory that it starts with.
    library, fonts, book
        Folders: the one that holds the library's zip, the data of matplotlib, and the modules of the book.
    still
        Whether the clock stands still and random numbers repeat.
    """

    def __init__(self, code: Path, memory: bytes, library: Path, fonts: Path, book: Path, still: bool = False):
        import wasmtime

        engine, module = compiled(code, code.with_suffix(".cwasm"))
        self.store = wasmtime.Store(engine)
        self.store.set_epoch_deadline(1)
        self.store.set_limits(memory_size=MOST)
        self.engine = engine
        self.output = {"stdout": bytearray(), "stderr": bytearray()}
        self.scratch = tempfile.TemporaryDirectory(prefix="derl-live-")
        top = Path(self.scratch.name)
        for folder in ("tmp", "usr/local/lib"):
            (top / folder).mkdir(parents=True)
        wasi = wasmtime.WasiConfig()
        wasi.argv, wasi.env = ["/usr/local/bin/python.wasm"], []
        wasi.stdout_custom = self._taking("stdout")
        wasi.stderr_custom = self._taking("stderr")
        for folder, name in ((library, LIBRARY), (fonts, FONTS), (top, "/"), (book, BOOK)):
            wasi.preopen_dir(str(folder), name)  # the image remembers this order
        self.store.set_wasi(wasi)
        linker = wasmtime.Linker(engine)
        linker.define_wasi()
        linker.allow_shadowing = True
        word, long = wasmtime.ValType.i32(), wasmtime.ValType.i64()
        linker.define_func("host", "call", wasmtime.FuncType(self._host(module), [word]), lambda *_: -1)
        if still:
            steps = itertools.count(MOMENT, 1000)

            def clock(caller, _clock, _precision, to):
                caller["memory"].write(caller, next(steps).to_bytes(8, "little"), to)
                return 0

            def random(caller, to, size):
                caller["memory"].write(caller, bytes(at * 151 % 256 for at in range(size)), to)
                return 0

            place = "wasi_snapshot_preview1"
            linker.define_func(place, "clock_time_get", wasmtime.FuncType([word, long, word], [word]), clock, True)
            linker.define_func(place, "random_get", wasmtime.FuncType([word, word], [word]), random, True)
        self.exports = linker.instantiate(self.store, module).exports(self.store)
        missing = len(memory) - self.exports["memory"].data_len(self.store)
        if missing > 0:
            self.exports["memory"].grow(self.store, -(-missing // PAGE))
        self.exports["memory"].write(self.store, memory)

    @staticmethod
    def _host(module):
        return next(one.type.params for one in module.imports if (one.module, one.name) == ("host", "call"))

    def _taking(self, name: str):
        def take(data):
            self.output[name] += data
            return len(data)
        return take

    def turn(self, code: str) -> tuple[int, str, str]:
        """Run one cell: its status (0: it came to its end), what it wrote, and what it wrote as errors."""
        data = code.encode()
        for kept in self.output.values():
            kept.clear()
        at = self.exports["host_alloc"](self.store, len(data)) % 2**32
        self.exports["memory"].write(self.store, data, at)
        status = self.exports["turn"](self.store, at, len(data))
        return status, *(kept.decode(errors="replace") for kept in self.output.values())

    def memory(self) -> bytes:
        """All of the memory."""
        return bytes(self.exports["memory"].read(self.store))

    def figures(self) -> list[bytes]:
        """The figures that a cell has left, in order."""
        found = sorted(Path(self.scratch.name, "tmp").glob("figure-*.svg"))
        return [file.read_bytes() for file in found]

    def close(self) -> None:
        """Give the scratch folder back."""
        self.store.close()
        self.scratch.cleanup()
