"""The shared library, found and declared: every name of dalembert.h that the module uses.

It is looked for, in this order: in $DALEMBERT_LIBRARY (the file itself), beside this file (where an
installation writes where it went), and wherever the system finds shared libraries."""

import ctypes
import ctypes.util
import os
from ctypes import (CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_double, c_int, c_long, c_size_t,
                    c_uint, c_ubyte, c_void_p)


def _candidates():
    named = os.environ.get("DALEMBERT_LIBRARY")
    if named:
        yield named
        return
    here = os.path.dirname(os.path.abspath(__file__))
    note = os.path.join(here, "library.txt")
    if os.path.exists(note):
        with open(note, encoding="utf-8") as f:
            yield os.path.normpath(os.path.join(here, f.read().strip()))
    for word in ("libdalembert.so", "libdalembert.dylib"):
        yield os.path.join(here, word)
        yield os.path.join(here, "..", "..", "build", word)
    yield ctypes.util.find_library("dalembert") or "libdalembert.so"


def _load():
    tried = []
    for path in _candidates():
        try:
            return ctypes.CDLL(path)
        except OSError as reason:
            tried.append(str(reason))
    raise ImportError("the library libdalembert is not found; set DALEMBERT_LIBRARY to its file, or "
                      "install it (make install). Tried:\n  " + "\n  ".join(tried))


library = _load()


class Message(Structure):
    _fields_ = [("severity", c_int), ("file", c_char_p), ("line", c_int), ("column", c_int),
                ("text", c_char_p), ("hint", c_char_p)]


class OptionRow(Structure):
    _fields_ = [("key", c_char_p), ("argument", c_char_p), ("choices", c_char_p), ("help", c_char_p),
                ("flags", c_uint)]


class Method(Structure):
    _fields_ = [("name", c_char_p), ("example", c_char_p), ("order", c_char_p), ("curve", c_char_p),
                ("title", c_char_p), ("cite", c_char_p), ("claims", c_uint), ("points", c_char_p),
                ("solves", c_char_p), ("needs", c_char_p), ("least", c_int), ("most", c_int)]


class Column(Structure):
    _fields_ = [("kind", c_int), ("name", c_char_p), ("of", c_char_p), ("unit", c_char_p)]


class Point(Structure):
    _fields_ = [("t", c_double)] + [(word, POINTER(c_double))
                                    for word in ("q", "v", "p", "lam", "parameter", "input")]


class Evaluation(Structure):
    _fields_ = ([(word, c_double) for word in ("L", "Lt", "Ltt")] +
                [(word, POINTER(c_double)) for word in
                 ("Lq", "Lv", "f", "Lqt", "Lvt", "ft", "Lqq", "Lqv", "Lvv", "fq", "fv", "curvature",
                  "e", "et", "A", "eq", "g")] + [("why", ctypes.c_char * 200)])


class Pattern(Structure):
    _fields_ = [("start", POINTER(c_int)), ("column", POINTER(c_int))]


Eval = CFUNCTYPE(c_int, c_void_p, c_uint, POINTER(Point), POINTER(Evaluation))


class Callbacks(Structure):
    _fields_ = [("size", c_size_t), ("name", c_char_p), ("coordinates", c_int), ("constraints", c_int),
                ("holonomic", c_int), ("parameters", c_int), ("inputs", c_int),
                ("coordinate", POINTER(c_char_p)), ("relation", POINTER(c_char_p)),
                ("parameter", POINTER(c_char_p)), ("input", POINTER(c_char_p)),
                ("q", POINTER(c_double)), ("v", POINTER(c_double)), ("p", POINTER(c_double)),
                ("parameter_value", POINTER(c_double)), ("input_value", POINTER(c_double)),
                ("hamiltonian", POINTER(c_ubyte)), ("hessian", Pattern), ("force", Pattern),
                ("curvature", Pattern), ("relations", Pattern), ("autonomous", c_int),
                ("zero", c_uint), ("constant", c_uint), ("missing", c_uint),
                ("typical_q", POINTER(c_double)), ("typical_v", POINTER(c_double)),
                ("typical_t", c_double), ("self", c_void_p), ("eval", Eval)]


Told = CFUNCTYPE(c_int, c_void_p, c_void_p)


class Direction(Structure):
    _fields_ = [("q", POINTER(c_double)), ("p", POINTER(c_double)), ("t", c_double), ("h", c_double),
                ("parameter", POINTER(c_double)), ("input", POINTER(c_double)), ("E", c_double)]


class SweepColumn(Structure):
    _fields_ = [("name", c_char_p), ("swept", c_int)]


class Member(Structure):
    _fields_ = [("index", c_size_t), ("status", c_int), ("error", c_char_p), ("warning", c_char_p),
                ("value", POINTER(c_double))]


class Statistics(Structure):
    _fields_ = [("name", c_char_p), ("count", c_size_t), ("mean", c_double), ("sd", c_double), ("min", c_double),
                ("max", c_double), ("quantile", c_double*5)]


class SweepSummary(Structure):
    _fields_ = ([(word, c_char_p) for word in ("model", "file", "scheme", "principle")] +
                [(word, c_size_t) for word in ("members", "done", "failed", "refused", "warned", "first_warned",
                                               "first_failed", "together")] +
                [("steps", c_long), ("threads", c_int), ("seconds", c_double), ("columns", c_size_t),
                 ("column", POINTER(Statistics)), ("backend", c_char_p), ("ranks", c_int)])


class Observer(Structure):
    _fields_ = [("row", Told), ("step", Told), ("self", c_void_p), ("wait", Told)]


Waiting = CFUNCTYPE(c_int, c_void_p, c_size_t, c_size_t)


class SweepObserver(Structure):
    _fields_ = [("row", c_void_p), ("last", c_void_p), ("member", c_void_p), ("wait", Waiting),
                ("self", c_void_p)]


class Account(Structure):
    _fields_ = [("part", c_char_p), ("first", c_double), ("last", c_double), ("work", c_double),
                ("received", c_double)]


class Side(Structure):
    _fields_ = [("part", c_char_p), ("work", c_double)]


class Passage(Structure):
    _fields_ = [("name", c_char_p), ("sides", c_size_t), ("side", POINTER(Side)), ("net", c_double)]


class Impulses(Structure):
    _fields_ = [("name", c_char_p)] + [(of, c_double) for of in ("first", "last", "forces", "relations", "lagrangian")]


class Ledger(Structure):
    _fields_ = [("accounts", c_size_t), ("passages", c_size_t), ("account", POINTER(Account)),
                ("passage", POINTER(Passage)), ("symmetries", c_size_t), ("impulses", POINTER(Impulses))]


class Exported(Structure):
    _fields_ = [("source", c_char_p), ("header", c_char_p), ("program", c_char_p)]


class Range(Structure):
    _fields_ = [("first", c_double), ("last", c_double), ("min", c_double), ("max", c_double)]


class Momentum(Structure):
    _fields_ = [("name", c_char_p), ("first", c_double), ("max_drift", c_double)]


class SummaryHead(Structure):
    """The beginning of dal_summary, which only grows at its end."""
    _fields_ = [("model", c_char_p), ("file", c_char_p), ("principle", c_char_p), ("scheme", c_char_p),
                ("order", c_int), ("from_", c_double), ("step", c_double), ("t", c_double),
                ("steps", c_long), ("energy", Range), ("momenta", c_size_t), ("momentum", POINTER(Momentum)),
                ("constraints", c_size_t), ("constraint_residual", c_double),
                ("dirac_residual", c_double), ("momentum_defect", c_double), ("work", c_double),
                ("power_error", c_double), ("status", c_int), ("error", c_char_p),
                ("newton_iterations", c_long), ("newton_failures", c_long),
                ("newton_max_iterations", c_int), ("setup_seconds", c_double),
                ("run_seconds", c_double), ("record_seconds", c_double), ("backend", c_char_p),
                ("solver", c_char_p), ("is_explicit", c_int), ("is_linear", c_int),
                ("is_fused", c_int), ("is_adaptive", c_int), ("length", Range), ("condition", Range),
                ("discrete_energy", c_double), ("balance_error", c_double), ("is_held", c_int),
                ("held_from", c_double), ("resets", c_long), ("reset_first", c_double),
                ("exponents", c_size_t), ("exponent", POINTER(c_double)), ("solved_by", c_char_p),
                ("fixed_point_sweeps", c_long), ("fixed_point_max_sweeps", c_int),
                ("exponent_error", POINTER(c_double)), ("is_reduced", c_int), ("reduced_order", c_int),
                ("reduced_by", c_char_p), ("length_noise", c_double),
                ("condition_papers", Range),
                ("error_estimate", c_double), ("pacing", c_char_p)]


class Fact(Structure):
    _fields_ = [("name", c_char_p), ("kind", c_int), ("number", c_double), ("names", c_size_t),
                ("text", POINTER(c_char_p))]


class Facts(Structure):
    _fields_ = [("count", c_size_t), ("fact", POINTER(Fact))]


class Curve(Structure):
    _fields_ = [("x", POINTER(c_double)), ("y", POINTER(c_double)), ("points", c_size_t), ("label", c_char_p),
                ("flags", c_uint), ("colour", c_int)]


class Event(Structure):
    _fields_ = [("t", c_double), ("name", c_char_p), ("what", c_char_p), ("impulse", c_double), ("energy", c_double)]


class Panel(Structure):
    _fields_ = [("curve", POINTER(Curve)), ("curves", c_size_t), ("xlabel", c_char_p), ("ylabel", c_char_p),
                ("flags", c_uint)]


class Plot(Structure):
    _fields_ = [("size", c_size_t), ("panel", POINTER(Panel)), ("panels", c_size_t), ("title", c_char_p),
                ("width", c_double), ("height", c_double)]


class ConvergenceRow(Structure):
    _fields_ = [("steps", c_long), ("step", c_double), ("error", c_double*3), ("order", c_double*3),
                ("roundoff", c_int*3), ("failure", c_char_p)]


class ConvergenceScheme(Structure):
    _fields_ = [("name", c_char_p), ("title", c_char_p), ("claimed", c_int), ("observed", c_double*3),
                ("missed", c_int), ("rows", c_size_t), ("row", POINTER(ConvergenceRow))]


class Convergence(Structure):
    _fields_ = [("model", c_char_p), ("file", c_char_p), ("from_", c_double), ("until", c_double),
                ("times", c_long), ("reference", c_char_p), ("second", c_char_p), ("reference_steps", c_long),
                ("second_steps", c_long), ("doubt", c_double*3), ("schemes", c_size_t),
                ("scheme", POINTER(ConvergenceScheme))]


class VariationalRow(Structure):
    _fields_ = [("step", c_double), ("error", c_double*4), ("order", c_double*4), ("roundoff", c_int*4)]


class VariationalPowers(Structure):
    _fields_ = [("error", c_double*3), ("order", c_double*3), ("roundoff", c_int*3)]


class Variational(Structure):
    _fields_ = [("model", c_char_p), ("file", c_char_p), ("scheme", c_char_p), ("claimed", c_int),
                ("rows", c_size_t), ("row", POINTER(VariationalRow)), ("observed", c_double*4),
                ("doubled", c_double), ("power", POINTER(VariationalPowers)), ("power_observed", c_double*3)]


class Doubled(Structure):
    _fields_ = [("off_diagonal", c_double), ("apart", c_double), ("observed", c_double)]


class Duplicate(Structure):
    _fields_ = [("model", c_char_p), ("file", c_char_p), ("scheme", c_char_p), ("claimed", c_int),
                ("coordinates", c_int), ("step", c_double), ("steps", c_long), ("off_diagonal", c_double),
                ("apart", c_double), ("observed", c_double), ("by", Doubled*3)]


class Split(Structure):
    _fields_ = [(of, c_double) for of in ("alpha", "q", "p", "shifted", "failed")]


class Equivalence(Structure):
    _fields_ = [("model", c_char_p), ("file", c_char_p), ("scheme", c_char_p), ("kind", c_int), ("moves", c_int),
                ("splits", c_size_t), ("split", POINTER(Split)), ("moved_q", c_double), ("moved_p", c_double)]


class Composition(Structure):
    _fields_ = [("name", c_char_p), ("order", c_int), ("steps", c_int), ("title", c_char_p), ("cite", c_char_p)]


class Principle(Structure):
    _fields_ = [("name", c_char_p), ("title", c_char_p)]


class View(Structure):
    _fields_ = [("name", c_char_p), ("help", c_char_p), ("usual", c_int)]


_numbers = POINTER(c_double)
Chord = CFUNCTYPE(c_int, c_void_p, c_int, _numbers, _numbers, _numbers, _numbers, _numbers)


class RetractionStruct(Structure):
    _fields_ = [("n", c_int), ("self", c_void_p), ("apply", Chord), ("inverse", Chord)]


Forms = CFUNCTYPE(c_int, c_void_p, _numbers, _numbers, _numbers)


class OneForms(Structure):
    _fields_ = [("n", c_int), ("rows", c_int), ("constant", _numbers), ("self", c_void_p), ("eval", Forms)]


class DiscreteValues(Structure):
    _fields_ = [("L", c_double), ("power_minus", c_double), ("power_plus", c_double), ("D1", _numbers),
                ("D2", _numbers), ("force_minus", _numbers), ("force_plus", _numbers), ("p0", _numbers),
                ("p1", _numbers)]


ChordFunction = CFUNCTYPE(c_int, c_void_p, c_double, c_double, _numbers, _numbers, _numbers)
ChordGradient = CFUNCTYPE(c_int, c_void_p, c_double, c_double, _numbers, _numbers, _numbers, _numbers)
PointForms = CFUNCTYPE(c_int, c_void_p, c_double, _numbers, _numbers)
StructureFunction = CFUNCTYPE(c_int, c_void_p, c_double, _numbers, _numbers, _numbers, _numbers)


class GeneratingStruct(Structure):
    _fields_ = [("size", c_size_t), ("n", c_int), ("rows", c_int), ("type", c_int), ("self", c_void_p),
                ("value", ChordFunction), ("gradient", ChordGradient), ("constraint", ChordFunction),
                ("one_forms", PointForms), ("structure", StructureFunction)]


_file = c_void_p

# name: (result, arguments)
_declared = {
    "dal_version": (c_char_p, []),
    "dal_trajectory_version": (c_int, []),
    "dal_status_text": (c_char_p, [c_int]),
    "dal_context_new": (c_void_p, [c_void_p]),
    "dal_context_free": (None, [c_void_p]),
    "dal_message_count": (c_size_t, [c_void_p]),
    "dal_message_at": (Message, [c_void_p, c_size_t]),
    "dal_report": (None, [c_void_p, _file, c_int]),
    "dal_messages_clear": (None, [c_void_p]),
    "dal_option_rows": (POINTER(OptionRow), [POINTER(c_size_t)]),
    "dal_options_new": (c_void_p, [c_void_p]),
    "dal_options_set": (c_int, [c_void_p, c_char_p, c_char_p]),
    "dal_options_free": (None, [c_void_p]),
    "dal_model_load": (c_int, [c_void_p, c_char_p, c_void_p, POINTER(c_void_p)]),
    "dal_model_parse": (c_int, [c_void_p, c_char_p, c_char_p, c_void_p, POINTER(c_void_p)]),
    "dal_model_from_callbacks": (c_int, [c_void_p, POINTER(Callbacks), POINTER(c_void_p)]),
    "dal_model_free": (None, [c_void_p]),
    "dal_model_system": (c_char_p, [c_void_p]),
    "dal_model_file": (c_char_p, [c_void_p]),
    "dal_model_text": (c_char_p, [c_void_p]),
    "dal_model_count": (c_size_t, [c_void_p, c_int]),
    "dal_model_name": (c_size_t, [c_void_p, c_int, c_size_t, c_char_p, c_size_t]),
    "dal_model_find": (c_long, [c_void_p, c_int, c_char_p]),
    "dal_model_unit": (c_char_p, [c_void_p, c_int, c_size_t]),
    "dal_check": (c_int, [c_void_p, c_void_p, _file]),
    "dal_analyse": (c_int, [c_void_p, c_void_p, POINTER(POINTER(Facts))]),
    "dal_facts_free": (None, [POINTER(Facts)]),
    "dal_show": (c_int, [c_void_p, c_void_p, c_char_p, _file]),
    "dal_cite": (c_int, [c_void_p, c_void_p, c_void_p, _file]),
    "dal_sim_new": (c_int, [c_void_p, c_void_p, POINTER(c_void_p)]),
    "dal_sim_free": (None, [c_void_p]),
    "dal_step": (c_int, [c_void_p]),
    "dal_advance": (c_int, [c_void_p, c_long]),
    "dal_time": (c_double, [c_void_p]),
    "dal_steps": (c_long, [c_void_p]),
    "dal_steps_planned": (c_long, [c_void_p]),
    "dal_q": (_numbers, [c_void_p]),
    "dal_p": (_numbers, [c_void_p]),
    "dal_v": (_numbers, [c_void_p]),
    "dal_size": (c_size_t, [c_void_p]),
    "dal_set_state": (c_int, [c_void_p, c_double, _numbers, _numbers, _numbers]),
    "dal_inputs": (_numbers, [c_void_p, POINTER(c_size_t)]),
    "dal_set_input": (c_int, [c_void_p, c_char_p, c_double]),
    "dal_parameters": (_numbers, [c_void_p]),
    "dal_parameter": (c_int, [c_void_p, c_char_p, _numbers]),
    "dal_set_parameter": (c_int, [c_void_p, c_char_p, c_double]),
    "dal_measure": (c_int, [c_void_p, c_char_p, _numbers]),
    "dal_columns": (POINTER(Column), [c_void_p, POINTER(c_size_t)]),
    "dal_run_rows": (c_int, [c_void_p, POINTER(Observer), _numbers, c_size_t, POINTER(c_size_t)]),
    "dal_summarise": (POINTER(SummaryHead), [c_void_p]),
    "dal_ledger_of": (POINTER(Ledger), [c_void_p]),
    "dal_events": (POINTER(Event), [c_void_p, POINTER(c_size_t)]),
    "dal_export": (c_int, [c_void_p, c_char_p, c_int, POINTER(Exported)]),
    "dal_method_count": (c_size_t, []),
    "dal_method_at": (Method, [c_size_t]),
    "dal_tangent_size": (c_size_t, [c_void_p]),
    "dal_tangent": (c_int, [c_void_p, c_size_t, POINTER(Direction), _numbers]),
    "dal_tangent_matrix": (c_int, [c_void_p, _numbers]),
    "dal_sweep_option_rows": (POINTER(OptionRow), [POINTER(c_size_t)]),
    "dal_sweep_new": (c_int, [c_void_p, c_void_p, POINTER(c_void_p)]),
    "dal_sweep_set": (c_int, [c_void_p, c_char_p, c_char_p]),
    "dal_sweep_free": (None, [c_void_p]),
    "dal_ranks_begin": (c_int, [c_void_p, POINTER(c_int), POINTER(c_int)]),
    "dal_ranks_end": (None, [c_void_p, c_int]),
    "dal_sweep_run": (c_int, [c_void_p, POINTER(SweepObserver)]),
    "dal_sweep_columns": (POINTER(SweepColumn), [c_void_p, POINTER(c_size_t)]),
    "dal_sweep_members": (c_size_t, [c_void_p]),
    "dal_sweep_summarise": (POINTER(SweepSummary), [c_void_p]),
    "dal_sweep_member": (Member, [c_void_p, c_size_t]),
    "dal_plot_write": (c_int, [c_void_p, POINTER(Plot), c_char_p, _file]),
    "dal_converge": (c_int, [c_void_p, c_void_p, c_char_p, c_char_p, POINTER(POINTER(Convergence))]),
    "dal_convergence_free": (None, [POINTER(Convergence)]),
    "dal_check_equivalence": (c_int, [c_void_p, c_void_p, c_char_p, _file]),
    "dal_equivalence_of": (c_int, [c_void_p, c_void_p, c_char_p, POINTER(POINTER(Equivalence))]),
    "dal_equivalence_free": (None, [POINTER(Equivalence)]),
    "dal_variational_order": (c_int, [c_void_p, c_void_p, POINTER(POINTER(Variational))]),
    "dal_duplicate_of": (c_int, [c_void_p, c_void_p, POINTER(POINTER(Duplicate))]),
    "dal_duplicate_free": (None, [POINTER(Duplicate)]),
    "dal_variational_free": (None, [POINTER(Variational)]),
    "dal_composition_count": (c_size_t, []),
    "dal_composition_at": (Composition, [c_size_t]),
    "dal_principles": (POINTER(Principle), [POINTER(c_size_t)]),
    "dal_views": (POINTER(View), [POINTER(c_size_t)]),
    "dal_retraction_flat": (RetractionStruct, [c_int]),
    "dal_retraction_sphere": (RetractionStruct, [c_int]),
    "dal_options_retraction": (c_int, [c_void_p, POINTER(RetractionStruct)]),
    "dal_structure_induced": (c_int, [c_void_p, c_int, POINTER(OneForms), POINTER(RetractionStruct), c_int,
                                      POINTER(c_void_p)]),
    "dal_structure_interaction": (c_int, [c_void_p, c_int, POINTER(OneForms), POINTER(RetractionStruct), c_int,
                                          POINTER(c_void_p)]),
    "dal_structure_direct_sum": (c_int, [c_void_p, POINTER(c_void_p), c_size_t, POINTER(c_void_p)]),
    "dal_structure_bowtie": (c_int, [c_void_p, c_void_p, c_void_p, POINTER(c_void_p)]),
    "dal_structure_free": (None, [c_void_p]),
    "dal_structure_coordinates": (c_int, [c_void_p]),
    "dal_structure_relations": (c_int, [c_void_p]),
    "dal_structure_residual": (c_double, [c_void_p, c_double, _numbers, _numbers]),
    "dal_structure_flat": (None, [c_void_p, _numbers, _numbers]),
    "dal_structure_differential": (None, [c_void_p, _numbers, _numbers, _numbers, _numbers, _numbers]),
    "dal_structure_constraint": (None, [c_void_p, c_double, _numbers, _numbers]),
    "dal_structure_annihilator": (_numbers, [c_void_p, c_double, _numbers, POINTER(c_size_t)]),
    "dal_structure_fibre": (c_int, [c_void_p, c_double, _numbers, _numbers, _numbers]),
    "dal_discrete_new": (c_int, [c_void_p, c_void_p, POINTER(c_void_p)]),
    "dal_discrete_free": (None, [c_void_p]),
    "dal_discrete_coordinates": (c_int, [c_void_p]),
    "dal_discrete_at": (c_int, [c_void_p, c_int, c_double, c_double, _numbers, _numbers, POINTER(DiscreteValues)]),
    "dal_discrete_second": (c_int, [c_void_p, c_int, c_double, c_double, _numbers, _numbers, _numbers]),
    "dal_discrete_plus": (c_int, [c_void_p, c_int, c_double, c_double, _numbers, _numbers, _numbers, _numbers,
                                  _numbers]),
    "dal_discrete_minus": (c_int, [c_void_p, c_int, c_double, c_double, _numbers, _numbers, _numbers, _numbers,
                                   _numbers]),
    "dal_triple": (None, [c_int, c_int, _numbers, _numbers]),
    "dal_triple_inverse": (None, [c_int, c_int, _numbers, _numbers]),
    "dal_generating_step": (c_int, [c_void_p, POINTER(GeneratingStruct), c_int, c_double, c_double, _numbers,
                                    _numbers, _numbers, _numbers, _numbers]),
    "dal_distribution": (c_int, [c_void_p, _numbers, c_int, c_int, _numbers]),
    "dal_dirac": (c_int, [c_void_p, _numbers, c_int, c_int, _numbers]),
    "dal_dirac_residual": (c_double, [c_void_p, _numbers, c_int, c_int, _numbers]),
    "dal_annihilator": (c_int, [c_void_p, _numbers, c_int, c_int, _numbers]),
    "dal_relations": (None, [c_void_p, _numbers]),
    "dal_options_get": (c_char_p, [c_void_p, c_char_p]),
    "dal_options_at": (c_char_p, [c_void_p, c_char_p, c_size_t]),
    "dal_sim_save": (c_int, [c_void_p, c_char_p]),
    "dal_sim_save_to_memory": (c_int, [c_void_p, POINTER(c_void_p), POINTER(c_size_t)]),
    "dal_sim_restore": (c_int, [c_void_p, c_void_p]),
    "dal_sim_extend": (c_int, [c_void_p, c_char_p, c_char_p, POINTER(c_int)]),
    "dal_checkpoint_load": (c_int, [c_void_p, c_char_p, POINTER(c_void_p)]),
    "dal_checkpoint_parse": (c_int, [c_void_p, c_char_p, c_size_t, POINTER(c_void_p)]),
    "dal_checkpoint_options": (c_int, [c_void_p, c_void_p]),
    "dal_checkpoint_resume": (c_int, [c_void_p, POINTER(c_void_p), POINTER(c_void_p)]),
    "dal_checkpoint_free": (None, [c_void_p]),
}

for _word, (_result, _arguments) in _declared.items():
    _function = getattr(library, _word)
    _function.restype, _function.argtypes = _result, _arguments

# Texts that the library prints to a FILE are caught in memory.
_c = ctypes.CDLL(None)
_c.open_memstream.restype = c_void_p
_c.open_memstream.argtypes = [POINTER(c_void_p), POINTER(c_size_t)]
_c.fclose.argtypes = [c_void_p]
_c.free.argtypes = [c_void_p]


def printed(write):
    """What `write(file)` prints, and what it returns."""
    at, size = c_void_p(), c_size_t()
    file = _c.open_memstream(byref(at), byref(size))
    result = write(file)
    _c.fclose(file)
    text = ctypes.string_at(at, size.value).decode("utf-8", "replace")
    _c.free(at)
    return text, result
