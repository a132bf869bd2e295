"""How a cell runs in the page: in one namespace for all cells, its last value printed, its figures left as files."""

import ast
import contextlib
import io
import linecache
import sys
import traceback

import __main__

FOLDER = "/tmp"
counted = 0


def run(source):
    """Run a cell; its error is printed with the lines of the cell, and ends the turn with status 1."""
    global counted
    counted += 1
    name = f"<cell {counted}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    try:
        tree = ast.parse(source, name)
        last = tree.body.pop().value if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, name, "exec"), __main__.__dict__)
        value = eval(compile(ast.Expression(last), name, "eval"), __main__.__dict__) if last else None
        if value is not None and not source.rstrip().endswith(";") and not drawn(value):
            print(repr(value))
    except SystemExit:
        raise
    except BaseException as problem:
        trace = problem.__traceback__
        while trace and trace.tb_frame.f_code.co_filename == __file__:
            trace = trace.tb_next
        traceback.print_exception(type(problem), problem, trace)
        sys.exit(1)
    finally:
        figures()


def drawn(value):
    """Whether a value is what matplotlib gives back, which the figure shows."""
    return (type(value).__module__ or "").startswith("matplotlib.") or (
        isinstance(value, list) and bool(value) and drawn(value[0]))


def before(sources):
    """Run cells for what they define; what they write and draw is dropped."""
    for source in sources:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            exec(compile(source, "<cell above>", "exec"), __main__.__dict__)
        close()


def figures():
    """Write every open figure as SVG, and close it."""
    plot = sys.modules.get("matplotlib.pyplot")
    for number in plot.get_fignums() if plot else ():
        plot.figure(number).savefig(f"{FOLDER}/figure-{number:02}.svg", bbox_inches="tight")
    close()


def close():
    """Close every figure."""
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
