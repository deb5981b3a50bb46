"""What a run says of itself beside its rows, so that a file can hold it and a page show it: the notes of the
program's .npz and .h5 files, under the same names."""

import json
import math

from ._library import library

# the kinds of columns that files keep apart, by their number in dal_column_kind
KINDS = {1: "q", 2: "p", 6: "multipliers", 3: "outputs", 9: "inputs"}
_ENDS = {0: "done", 5: "breakdown", 8: "interrupted"}


def _number(x):
    return x if math.isfinite(x) else None  # JSON has no infinity and no NaN


def _numbers(values):
    return {name: _number(x) for name, x in values.items()}


class Record:
    """Taken when a run has ended; the simulation may go on."""

    def __init__(self, sim, last):
        self.model, self.columns, self.last = sim.model, sim._shown, last
        self.summary, self.ledger = sim.summary, sim.ledger
        self.options, self.warnings = sim._given, list(sim._context.warnings)
        self._parameters = library.dal_parameters(sim.handle)[:len(sim.model._names("parameters"))]

    def _final(self):
        return {key: {column.of: _number(float(x)) for column, x in zip(self.columns, self.last) if column.kind == kind}
                for kind, key in KINDS.items()}

    def _ledger(self):
        parts = {name: _numbers(x) for name, x in self.ledger["parts"].items()}
        whole = next(iter(parts))
        connections = {name: {"into": _numbers(c["into"]), "net": _number(c["net"])}
                       for name, c in self.ledger["connections"].items()}
        impulses = {name: _numbers(x) for name, x in self.ledger["impulses"].items()}
        return {"whole": parts.pop(whole), "parts": parts, "connections": connections, "impulses": impulses}

    def _adaptive(self, s):
        out = {"step_range": {"min": _number(s["length"]["min"]), "max": _number(s["length"]["max"]),
                              "noise": _number(s["length_noise"])},
               "discrete_energy": {"first": _number(s["discrete_energy"]), "max_error": _number(s["balance_error"])}}
        known = s["condition"]["max"] > 0
        for name in ("condition", "condition_papers"):
            out[name] = {end: _number(s[name][end]) if known else None for end in ("min", "max")}
        if s["is_held"]:
            out["fixed_from"] = _number(s["held_from"])
        if s["resets"]:
            out["resets"] = {"count": s["resets"], "first": _number(s["reset_first"])}
        return out

    def as_json(self) -> dict:
        """The object that `dalembert run --json` prints."""
        s = self.summary
        stepping = s["run_seconds"] - s["record_seconds"]
        out = {name: s[name] for name in ("model", "file", "principle", "scheme", "order")}
        out.update(step=_number(s["step"]), steps=s["steps"], t=_number(s["t"]), final=self._final(),
                   energy=_numbers(s["energy"]), momenta={name: _numbers(m) for name, m in s["momenta"].items()},
                   constraints={"max_residual": _number(s["constraint_residual"])},
                   dirac_residual=_number(s["dirac_residual"]), momentum_defect=_number(s["momentum_defect"]),
                   work=_number(s["work"]), power_balance={"max_error": _number(s["power_error"])})
        if s["is_reduced"]:
            out["reduced_order"] = {"order": s["reduced_order"], "by": s["reduced_by"]}
        if s["error_estimate"] == s["error_estimate"]:
            out["error_estimate"] = _number(s["error_estimate"])
        if s["exponents"]:
            out["lyapunov"] = [_number(x) for x in s["exponents"]]
            out["lyapunov_error"] = [_number(x) for x in s["exponent_errors"]]
        if self.ledger:
            out["ledger"] = self._ledger()
        if s["is_adaptive"]:
            out.update(self._adaptive(s))
        out["status"] = _ENDS.get(s["status"], "failed")
        if s["error"]:
            out["error"] = s["error"]
        out.update(newton={"iterations": s["newton_iterations"], "max_iterations": s["newton_max_iterations"],
                           "failures": s["newton_failures"]},
                   solved_by=s["solved_by"],
                   fixed_point={"sweeps": s["fixed_point_sweeps"], "max_sweeps": s["fixed_point_max_sweeps"]},
                   time={"setup_s": s["setup_seconds"], "run_s": s["run_seconds"],
                         "ns_per_step": 1e9*stepping/s["steps"] if s["steps"] else 0},
                   backend=s["backend"], solver=s["solver"], warnings=self.warnings)
        return out

    def notes(self) -> dict:
        """Texts by name, as the program's files have them."""
        m = self.model.handle
        file, words = library.dal_model_file(m), library.dal_model_text(m)
        parameters = dict(zip(self.model._names("parameters"), self._parameters))
        return {"model": (words or b"").decode(), "file": (file or b"").decode(), "system": self.model.system,
                "scheme": self.summary["scheme"], "principle": self.summary["principle"],
                "step": format(self.summary["step"], ".17g"), "version": library.dal_version().decode(),
                "parameters": json.dumps(parameters), "options": json.dumps(self.options.texts()),
                "summary": json.dumps(self.as_json())}
