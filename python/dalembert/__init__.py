"""dalembert: structure-preserving simulation, a model in, a trajectory out.

    import dalembert
    model = dalembert.load("pendulum.dal")
    sim = model.simulate(scheme="gauss(2)", step=0.01, until=10)
    motion = sim.run()                    # an array per column: motion["t"], motion["th"], ...

    sim = model.simulate(step=0.01)       # or step by step, with a controller in the loop
    while sim.t < 10:
        sim.input["u"] = -3*sim.q[0] - sim.v[0]
        sim.step()

Options are those of the program, as keywords: `--project-start` is project_start=True, `--set k=3` is
set={"k": 3}, `--start "x'=1"` is start={"x'": 1}. A failure raises dalembert.Error with the library's
message. Results are numpy arrays, or lists of floats if numpy is not installed.

Threads may share a model; each makes its own simulations, and the library runs them in parallel.
Ctrl-C interrupts a run, a sweep or a long series of steps with KeyboardInterrupt.
"""

from ._about import cite, compositions, methods, options, principles, views
from ._discrete import Chord, Discrete, Generating, triple
from ._handles import Error, UnknownName
from ._library import library as _library
from ._measured import Convergence, Orders
from ._model import Model, example, examples, from_functions, load, parse, resume
from ._motion import Ensemble, Motion
from ._program import program
from ._simulation import Simulation
from ._structures import Retraction, Structure, annihilator, dirac, dirac_residual, distribution

__version__ = _library.dal_version().decode()
trajectory_version = _library.dal_trajectory_version()


def load_ipython_extension(shell) -> None:
    """%load_ext dalembert: the cell magic %%dalembert."""
    from . import _notebook
    _notebook.load(shell)


__all__ = ["Convergence", "Ensemble", "Error", "Model", "Motion", "Orders", "Retraction", "Simulation", "Structure", "UnknownName",
           "annihilator", "cite", "compositions", "dirac", "dirac_residual", "distribution", "example", "examples", "from_functions", "load", "methods", "options",
           "parse", "principles", "program", "resume", "trajectory_version", "views"]
