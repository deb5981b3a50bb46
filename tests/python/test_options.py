"""Options as keyword arguments: signatures, types, help and completion come from the tables of the library."""

import ast
import inspect
import os
import typing
import unittest

import dalembert
from dalembert import _options
from dalembert._handles import Context, Options

OSCILLATOR = "system O {\n coordinate x\n lagrangian x'^2/2 - x^2/2\n start x = 1\n}"
CALLS = ("simulate", "run", "sweep", "converge", "check", "facts", "show", "cite", "variational_order", "equivalence",
         "equivalence_of", "duplicate", "discrete")


class Keywords(unittest.TestCase):
    def test_every_option_of_the_table_is_a_keyword(self):
        for name in CALLS:
            of = getattr(dalembert.Model, name)
            found = inspect.signature(of).parameters
            missing = set(dalembert.options()) - set(found)
            self.assertFalse(missing, f"{name} lacks {missing}")
            self.assertFalse([p for p in found.values() if p.kind is p.VAR_KEYWORD], name)
            for keyword, words in dalembert.options().items():
                if keyword not in ("steps", "threads"):  # some have their own
                    self.assertIn(f"{keyword}: {words[:30]}", of.__doc__)
        self.assertLessEqual({"grid", "random", "members", "seed", "from_csv", "threads"},
                             set(inspect.signature(dalembert.Model.sweep).parameters))

    def test_types_are_those_of_the_table(self):
        hints = typing.get_type_hints(dalembert.Model.run)
        self.assertEqual(hints["step"], typing.Optional[float])
        self.assertEqual(hints["steps"], typing.Optional[int])
        self.assertEqual(hints["ledger"], typing.Optional[bool])
        self.assertEqual(hints["principle"], typing.Optional[typing.Literal["dirac+", "dirac-", "energy"]])
        self.assertIs(hints["return"], dalembert.Motion)
        for name in CALLS:
            typing.get_type_hints(getattr(dalembert.Model, name))

    def test_every_choice_is_one(self):
        for row in _options.RUN:
            for choice in (row.choices or b"").decode().split("|"):
                if choice:
                    Options(Context(), {_options.word(row): choice})
            if row.choices:
                with self.assertRaises(dalembert.Error):
                    Options(Context(), {_options.word(row): "none of them"})

    def test_a_word_that_python_has_is_written_with_a_line(self):
        motion = dalembert.parse(OSCILLATOR).run(from_=1, step=0.5, until=2)
        self.assertEqual([float(t) for t in motion["t"]], [1, 1.5, 2])

    def test_none_leaves_an_option_alone(self):
        self.assertEqual(len(dalembert.parse(OSCILLATOR).run(scheme=None, step=0.5, steps=2, until=None)), 3)

    def test_an_unknown_keyword_is_refused(self):
        with self.assertRaisesRegex(dalembert.Error, "did you mean 'step'"):
            dalembert.parse(OSCILLATOR).run(stepp=0.5)

    @unittest.skipUnless(os.environ.get("DALEMBERT_STUB"), "the stub belongs to a build")
    def test_the_stub_says_the_same(self):
        with open(os.environ["DALEMBERT_STUB"], encoding="utf-8") as f:
            tree = ast.parse(f.read())
        methods = {d.name: d for d in tree.body[-6].body} if isinstance(tree.body[-6], ast.ClassDef) else {}
        for name in CALLS:
            found = methods[name].args
            self.assertEqual([a.arg for a in found.args + found.kwonlyargs],
                             list(inspect.signature(getattr(dalembert.Model, name)).parameters))
        self.assertEqual([d.name for d in tree.body[-5:]], ["load", "parse", "example", "from_functions", "resume"])

    def test_completion_shows_them(self):
        try:
            from IPython.core.interactiveshell import InteractiveShell
        except ImportError:
            self.skipTest("IPython is missing")
        shell = InteractiveShell()
        shell.user_ns["model"] = dalembert.parse(OSCILLATOR)
        shell.Completer.use_jedi = False
        self.assertIn("scheme=", shell.complete("sch", "model.run(sch", 13)[1])
        self.assertIn("on_breakdown=", shell.complete("on_", "model.sweep(on_", 15)[1])


class Copies(unittest.TestCase):
    def test_what_is_a_copy_cannot_be_written_to(self):
        sim = dalembert.parse(OSCILLATOR).simulate(step=0.1)
        for values in (sim.q, sim.p, sim.v, sim.sensitivity(h=1)):
            with self.assertRaises((ValueError, TypeError)):
                values[0] = 3
        self.assertEqual(sim.q[0], 1)


if __name__ == "__main__":
    unittest.main()
