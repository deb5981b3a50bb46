"""The Python module, with numpy or without: models, runs, steps, inputs, parameters, functions, errors."""

import copy
import gc
import math
import multiprocessing
import os
import pickle
import signal
import sys
import tempfile
import threading
import unittest
import warnings
from concurrent.futures import ThreadPoolExecutor

import dalembert

CART = """
system Cart {
  parameter m = 1, k = 4
  input u = 0
  coordinate x
  lagrangian m/2*x'^2 - k/2*x^2
  force x: u
  output speed = x'
  start x = 1
}
simulate {
  scheme = gauss(2)
  step = 0.05
  until = 1
}
"""

PAIR = """
system Mass {
  parameter m = 1
  coordinate x
  lagrangian m/2*x'^2
}
system Spring {
  coordinate a
  lagrangian -a^2/2
}
system Pair {
  part a : Mass
  part b : Spring
  connect joint: a.x = b.a
  start a.x = 1
}
simulate {
  scheme = gauss(2)
  step = 0.05
  until = 1
}
"""

try:
    import numpy
except ImportError:
    numpy = None


def end_of(model, k):
    """For other processes, which find it by its name."""
    return model.run(set={"k": k})["x"][-1]


class Models(unittest.TestCase):
    def test_a_run_gives_columns(self):
        motion = dalembert.parse(CART).run()
        self.assertEqual(motion.names, ["t", "x", "p(x)", "speed", "energy"])
        self.assertEqual(len(motion), 21)
        self.assertAlmostEqual(motion["x"][-1], math.cos(2), 6)
        self.assertAlmostEqual(motion["speed"][-1], -2*math.sin(2), 5)
        self.assertTrue("energy" in motion and "y" not in motion)
        with self.assertRaisesRegex(KeyError, "there are t, x"):
            motion["y"]

    def test_options_are_keywords(self):
        motion = dalembert.parse(CART).run(scheme="lobatto(4)", step=0.1, steps=10, set={"k": 9.0},
                                           start={"x": 0, "x'": 3.0}, columns=["x", "energy"])
        self.assertEqual(motion.names, ["t", "x", "energy"])
        self.assertAlmostEqual(motion["x"][-1], math.sin(3), 7)

    def test_names_are_those_of_the_model(self):
        model = dalembert.parse(CART)
        self.assertEqual((model.system, model.coordinates, model.inputs), ("Cart", ["x"], ["u"]))
        self.assertEqual((model.parameters, model.outputs), (["m", "k"], ["speed"]))

    def test_a_sweep_is_a_row_for_each_member(self):
        model = dalembert.parse(CART)
        members = model.sweep(grid={"k": [1, 4, 9]}, threads=2, step=0.05, until=1)
        self.assertEqual(len(members), 3)
        for k, x in zip(members["k"], members["x"]):
            self.assertAlmostEqual(x, math.cos(math.sqrt(k)), 4)
        drawn = model.sweep(random={"x": "normal(1, 0.1)"}, members=5, seed=3, columns="x")
        self.assertEqual((len(drawn), drawn.failures), (5, {}))
        with self.assertRaisesRegex(dalembert.Error, "nothing"):
            model.sweep(grid={"nothing": [1]})

    def test_texts_are_those_of_the_program(self):
        model = dalembert.parse(CART, "cart.dal")
        self.assertIn("Cart", model.check())
        self.assertIn("x'", model.show("equations"))
        self.assertIn("@software{dalembert", model.cite())
        self.assertIn("{SPW18,", dalembert.cite())
        metres = dalembert.parse('system A {\n coordinate x "m"\n lagrangian x\'^2/2\n}', "a.dal")
        self.assertEqual((metres.unit("x"), model.unit("u")), ("m", ""))
        with self.assertRaisesRegex(dalembert.Error, "nothing"):
            model.unit("nothing")

    def test_errors_have_the_words_of_the_library(self):
        with self.assertRaises(dalembert.Error) as caught:
            dalembert.parse("system A {\n coordinate x\n lagrangian y'^2/2\n}", "a.dal")
        self.assertIn("a.dal:3:", str(caught.exception))
        self.assertEqual(caught.exception.messages[0][:2], ("a.dal", 3))
        with self.assertRaisesRegex(dalembert.Error, "did you mean 'scheme'"):
            dalembert.parse(CART).simulate(shceme="midpoint")
        with self.assertRaisesRegex(dalembert.Error, "^(?!error).*no-such.dal"):
            dalembert.load("no-such.dal")
        self.assertEqual(dalembert.parse(CART).run(steps=1)["x"][0], 1)  # and nothing is left behind

    def test_a_file_is_read(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "cart.dal")
            with open(path, "w", encoding="utf-8") as f:
                f.write(CART)
            self.assertEqual(len(dalembert.load(path).run()), 21)

    def test_examples_of_steps_and_events_are_found(self):
        for name in ("pendulum", "close_orbit", "cradle", "thermostat"):
            self.assertIn(name, dalembert.examples())
        run = dalembert.example("cradle").simulate()
        run.run()
        times = sorted({round(e["t"], 9) for e in run.events})
        self.assertEqual(times, [round(k*math.pi/2, 9) for k in (1, 3, 5)])
        self.assertEqual({e["name"] for e in run.events}, {"c[%d]" % k for k in (1, 2, 3, 4)})


class Simulations(unittest.TestCase):
    def test_a_controller_sits_in_the_loop(self):
        sim = dalembert.parse(CART).simulate(step=0.01)
        while sim.t < 8:
            sim.input["u"] = -4*sim.v[0]
            sim.step()
        self.assertLess(abs(sim.q[0]), 1e-5)
        self.assertEqual(sim.steps, 800)
        self.assertEqual(list(sim.input), ["u"])
        with self.assertRaisesRegex(dalembert.Error, "no input 'w'"):
            sim.input["w"] = 1

    def test_states_come_out_and_go_in(self):
        model = dalembert.parse(CART)
        a, b = model.simulate(), model.simulate()
        a.step(7)
        b.set_state(a.q, p=a.p, t=a.t)
        a.step(7), b.step(7)
        self.assertAlmostEqual(a.t, b.t, 14)
        self.assertAlmostEqual(a.q[0], b.q[0], 13)
        b.set_state([0.25], v=[0])
        self.assertAlmostEqual(b.energy, 4*0.25**2/2, 15)
        with self.assertRaisesRegex(ValueError, "length 2"):
            b.set_state([1, 2], v=[0, 0])
        with self.assertRaisesRegex(dalembert.Error, "q with either v or p"):
            b.set_state([1])

    def test_parameters_are_read_and_written(self):
        sim = dalembert.parse(CART).simulate(step=0.01)
        self.assertEqual(sim.parameter["k"], 4)
        self.assertEqual((dict(sim.parameter), sim.parameter.get("w", 7)), ({"m": 1, "k": 4}, 7))
        with self.assertRaisesRegex(KeyError, "there are m, k"):
            sim.parameter["w"] = 1
        with self.assertRaisesRegex(dalembert.Error, "no inertia is left along x"):
            sim.parameter["m"] = 0
        sim.parameter["k"] = 9
        sim.step(100)
        self.assertAlmostEqual(sim.q[0], math.cos(3), 7)

    def test_tangents_are_those_of_a_step(self):
        model = dalembert.parse(CART)
        sim, h = model.simulate(), 1e-6
        M = sim.tangent()
        self.assertAlmostEqual(M[0][0]*M[1][1] - M[0][1]*M[1][0], 1, 14)  # symplectic
        by_k, by_u = sim.sensitivity(parameter="k"), sim.sensitivity(input="u")
        with self.assertRaises(TypeError):
            sim.sensitivity()
        ends = []
        for k, u in ((4 + h, 0), (4 - h, 0), (4, h), (4, -h)):
            sim = model.simulate(set={"k": k})
            sim.input["u"] = u
            sim.step()
            ends.append((sim.q[0], sim.p[0]))
        for i in range(2):
            self.assertAlmostEqual(by_k[i], (ends[0][i] - ends[1][i])/(2*h), 8)
            self.assertAlmostEqual(by_u[i], (ends[2][i] - ends[3][i])/(2*h), 8)

    def test_an_observer_watches_and_stops(self):
        sim, seen = dalembert.parse(CART).simulate(), []
        motion = sim.run(lambda s: seen.append(s.t) or s.t > 0.49)
        self.assertEqual((len(seen), len(motion)), (10, 11))
        self.assertEqual(len(sim.run()), 10)  # goes on from there
        with self.assertRaises(ZeroDivisionError) as caught:
            dalembert.parse(CART).simulate().run(lambda s: 1/0)
        self.assertEqual(len(caught.exception.motion), 2)
        with self.assertRaisesRegex(dalembert.Error, "while the simulation runs"):
            dalembert.parse(CART).simulate().run(lambda s: s.step())

    def test_what_was_recorded_before_a_failure_is_kept(self):
        model = dalembert.parse("system F {\n coordinate x\n lagrangian x'^2/2 - sqrt(1 - x)\n start x' = 0.5\n}")
        with self.assertRaises(dalembert.Error) as caught:
            model.run(step=0.01, until=100)
        motion = caught.exception.motion
        self.assertEqual((len(motion), motion.names[:2]), (117, ["t", "x"]))
        self.assertLess(motion["x"][-1], 1)

    def test_counts_of_steps_are_whole_and_not_negative(self):
        sim = dalembert.parse(CART).simulate()
        self.assertRaises(ValueError, sim.step, -1)
        self.assertRaises(TypeError, sim.step, 1.5)
        self.assertRaises(TypeError, sim.extend)
        sim.step(0)
        self.assertEqual(sim.steps, 0)

    def test_the_summary_is_a_dictionary(self):
        sim = dalembert.parse(CART).simulate()
        sim.run()
        s = sim.summary
        self.assertEqual((s["steps"], s["order"], s["status"]), (20, 4, 0))
        self.assertLess(abs(s["energy"]["last"] - s["energy"]["first"]), 1e-12)
        self.assertEqual((s["is_linear"], s["is_explicit"], s["newton_failures"]), (1, 0, 0))
        self.assertIn(s["solver"], ("dense", "diagonal", "band", "tridiagonal"))
        self.assertEqual((s["solved_by"], s["fixed_point_sweeps"]), ("linear", 0))
        self.assertEqual((s["momenta"], s["exponents"]), ({}, []))

    def test_momenta_and_exponents_are_in_the_summary(self):
        sim = dalembert.parse("system A {\n coordinate x, y\n lagrangian x'^2/2 + y'^2/2 - y^2/2\n start x' = 2\n}"
                              ).simulate(step=0.1, steps=20, lyapunov=2)
        sim.run()
        self.assertEqual(sim.summary["momenta"], {"p(x)": {"first": 2, "max_drift": 0}})
        self.assertEqual(len(sim.summary["exponents"]), 2)

    def test_facts_are_values_by_name(self):
        facts = dalembert.parse(CART).facts()
        self.assertEqual((facts["linear"], facts["cyclic_coordinates"]), (True, []))
        self.assertEqual(facts["inertia_rank"], facts["coordinates"])
        with self.assertRaises(dalembert.Error):
            dalembert.parse(CART).facts(set="nothing=1")

    def test_a_checkpoint_goes_on_to_the_same_bits(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "cart.ckpt")
            sim = dalembert.parse(CART).simulate()
            sim.step(5), sim.save(path), sim.step(15)
            other = dalembert.resume(path)
            other.step(15)
            self.assertEqual(list(sim.q), list(other.q))

    def test_a_run_goes_on_beyond_its_end(self):
        sim, longer = dalembert.parse(CART).simulate(steps=5), dalembert.parse(CART).simulate(steps=20)
        sim.run()
        sim.extend(steps=20)
        self.assertRaises(dalembert.Error, sim.extend, steps=3)
        sim.run(), longer.run()
        self.assertEqual(list(sim.q), list(longer.q))

    def test_warnings_are_warnings(self):
        text = CART.replace("parameter m = 1", "parameter m = 1, unused = 3")
        with warnings.catch_warnings(record=True):
            warnings.simplefilter("always")
            dalembert.parse(text)


class Functions(unittest.TestCase):
    def test_python_functions_move_as_the_text_does(self):
        def spring(want, at, out):
            k, x, v = at.parameter["k"], at.q[0], at.v[0]
            if "L" in want:
                out.L = v*v/2 - k*x*x/2 - x**4/4
            if "gradient" in want:
                out.Lq[0], out.Lv[0] = -k*x - x**3, v
            if "force" in want:
                out.f[0] = at.input["u"]

        model = dalembert.from_functions(
            spring, ["x"], name="Spring", parameters={"k": 4}, inputs={"u": 0.5}, q=[1],
            autonomous=True, missing=("hessian", "force_jacobian"))
        twin = dalembert.parse("system S {\n parameter k = 4\n coordinate x\n"
                               "lagrangian x'^2/2 - k*x^2/2 - x^4/4\n force x: 0.5\n start x = 1\n}")
        a, b = model.run(step=0.1, steps=100), twin.run(step=0.1, steps=100)
        self.assertAlmostEqual(a["x"][-1], b["x"][-1], 12)
        self.assertAlmostEqual(a["energy"][-1], b["energy"][-1], 12)

    def test_an_exception_in_a_function_is_the_reason(self):
        def broken(want, at, out):
            raise ValueError("no table for this")

        with self.assertRaisesRegex(dalembert.Error, "no table for this"):
            dalembert.from_functions(broken, ["x"]).simulate(step=0.1)
        with self.assertRaisesRegex(TypeError, "does not know colour"):
            dalembert.from_functions(broken, ["x"], colour=1)


class Tables(unittest.TestCase):
    def test_values_may_be_lists_and_arrays(self):
        words = "system A {\n parameter w[2] = [1, 2]\n coordinate x\n lagrangian x'^2/2 - w[2]*x^2/2\n start x = 1\n}"
        model = dalembert.parse(words)
        wanted = model.run(step=0.1, steps=5, set={"w": "[1, 9]"})["x"][-1]
        self.assertEqual(model.run(step=0.1, steps=5, set={"w": [1, 9]})["x"][-1], wanted)
        if numpy is not None:
            w = numpy.array([1.0, 9.0])
            self.assertEqual(model.run(step=0.1, steps=5, set={"w": w})["x"][-1], wanted)

    def test_a_motion_is_a_table_for_others(self):
        table = dict(dalembert.parse(CART).run(step=0.5))
        self.assertEqual(list(table), ["t", "x", "p(x)", "speed", "energy"])
        self.assertEqual(list(table["t"]), [0, 0.5, 1])
        motion = dalembert.parse(CART.replace("coordinate x", 'coordinate x "m"')).run(step=0.5)
        self.assertEqual((motion.units["x"], motion.units["energy"]), ("m", ""))
        self.assertEqual([name for name, _ in motion.items()], motion.keys())
        self.assertIn("3 rows of t, x", repr(motion))

    def test_long_runs_are_gathered_whole(self):
        for steps in (0, 1, 62, 63, 64, 127, 128, 70000):
            t = dalembert.parse(CART).run(step=0.5, steps=steps)["t"]
            self.assertEqual((len(t), t[-1]), (steps + 1, 0.5*steps))

    def test_an_exported_step_is_three_texts(self):
        texts = dalembert.parse(CART).simulate().export("cart")
        self.assertEqual(list(texts), ["cart.c", "cart.h", "cart_main.c"])
        self.assertIn("cart_step", texts["cart.h"])

    def test_what_changes_momenta(self):
        model = dalembert.parse("system S {\n coordinate x, y\n lagrangian (x'^2 + y'^2)/2 - (x - y)^4\n"
                                " force x: -0.5*x'\n symmetry shift: x -> 1, y -> 1\n start x = 1, x' = 2\n}")
        sim = model.simulate(ledger=True, step=0.1, until=1, scheme="lobatto(3)")
        sim.run()
        of = sim.ledger["impulses"]["shift"]
        self.assertAlmostEqual(of["forces"], -0.5*(sim.q[0] - 1), 14)
        self.assertAlmostEqual(of["last"] - of["first"], of["forces"], 14)
        self.assertEqual((of["relations"], of["lagrangian"]), (0, 0))

    def test_the_ledger_is_a_dictionary(self):
        model = dalembert.parse(PAIR)
        self.assertIsNone(model.simulate().ledger)
        sim = model.simulate(ledger=True)
        sim.run()
        ledger = sim.ledger
        self.assertEqual(list(ledger["parts"]), ["Pair", "a", "b"])
        account = ledger["parts"]["a"]
        self.assertAlmostEqual(account["last"] - account["first"], account["work"] + account["received"], 12)
        joint = ledger["connections"]["joint"]
        self.assertEqual(sorted(joint["into"]), ["a", "b"])
        self.assertAlmostEqual(joint["net"], 0, 14)

    def test_methods_and_options_are_listed(self):
        rows = {row["name"]: row for row in dalembert.methods()}
        self.assertEqual(rows["gauss(s)"]["order"], "2s")
        self.assertTrue(rows["lobatto(s)"]["symplectic"])
        self.assertFalse(rows["radau(s)"]["symmetric"])
        self.assertIn("project_start", dalembert.options())
        self.assertGreaterEqual(dalembert.trajectory_version, 1)


class Programs(unittest.TestCase):
    """What happens around the calls: interrupts, threads, the end of objects."""

    def interrupted(self, work):
        before = signal.getsignal(signal.SIGINT)
        if before is signal.SIG_IGN:
            self.skipTest("a shell that runs this in the background has interrupts ignored")
        timer = threading.Timer(0.2, lambda: signal.pthread_kill(threading.main_thread().ident, signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt) as caught:
            work()
        timer.join()
        self.assertIs(signal.getsignal(signal.SIGINT), before)
        return caught.exception

    def test_an_interrupt_ends_a_run(self):
        model = dalembert.parse(CART)
        for record in (0, 1):
            sim = model.simulate(step=1e-3, steps=10**9, record=record)
            motion = self.interrupted(sim.run).motion
            self.assertTrue(0 < sim.steps < 10**9)
            self.assertEqual(len(motion), sim.steps + 1 if record else 2)
            sim.step()  # it can go on

    def test_an_interrupt_ends_an_observer(self):
        event = threading.Event()
        sim = dalembert.parse(CART).simulate()
        self.interrupted(lambda: sim.run(lambda s: event.wait()))
        self.assertEqual(sim.steps, 1)

    def test_an_interrupt_ends_steps_and_sweeps(self):
        model = dalembert.parse(CART)
        sim = model.simulate(step=1e-3)
        self.interrupted(lambda: sim.step(10**9))
        self.interrupted(lambda: model.sweep(grid={"k": "1..100"}, step=1e-3, steps=10**7))

    def test_threads_share_a_model(self):
        model = dalembert.parse(CART)

        def work(i):
            sim = model.simulate(set={"k": 1 + i})
            sim.step(20)
            with self.assertRaisesRegex(dalembert.Error, f"'name{i}'"):
                sim.measure(f"name{i}")
            return sim.q[0]

        alone = [work(i) for i in range(50)]
        with ThreadPoolExecutor(4) as pool:
            for _ in range(5):
                self.assertEqual(list(pool.map(work, range(50))), alone)

    def test_copies_and_pickles_go_on_to_the_same_bits(self):
        sim = dalembert.parse(CART).simulate(scheme="gauss(3)", step=0.01)
        sim.step(5)
        sim.parameter["k"] = 5
        others = [copy.copy(sim), copy.deepcopy(sim), pickle.loads(pickle.dumps(sim)),
                  copy.copy(pickle.loads(pickle.dumps(sim)))]
        sim.step(50)
        for other in others:
            self.assertEqual(other.steps, 5)
            other.step(50)
            self.assertEqual((list(other.q), list(other.p)), (list(sim.q), list(sim.p)))
        model = sim.model
        self.assertIs(copy.deepcopy(model), model)
        again = pickle.loads(pickle.dumps(model))
        self.assertEqual(list(again.run()["x"]), list(model.run()["x"]))
        error = pickle.loads(pickle.dumps(dalembert.Error("why", 4, [("a", 1, 1, "why", None)])))
        self.assertEqual((str(error), error.status, len(error.messages)), ("why", 4, 1))

    def test_functions_are_copied_but_not_pickled(self):
        def free(want, at, out):
            if "L" in want:
                out.L = at.v[0]**2/2
            if "gradient" in want:
                out.Lq[0], out.Lv[0] = 0, at.v[0]

        sim = dalembert.from_functions(free, ["x"], v=[1], zero=("f",), missing=("hessian",)).simulate(step=0.5)
        sim.step()
        self.assertEqual(copy.copy(sim).q[0], 0.5)
        with self.assertRaisesRegex(TypeError, "functions"):
            pickle.dumps(sim)
        with self.assertRaisesRegex(TypeError, "functions"):
            pickle.dumps(sim.model)

    def test_processes_share_a_model(self):
        model = dalembert.parse(CART)
        alone = [end_of(model, k) for k in range(1, 4)]
        named = hasattr(sys.modules["__main__"], "__file__")  # or a new process does not find end_of
        for way in ("fork", "spawn")[:1 + named]:
            with multiprocessing.get_context(way).Pool(2) as pool:
                self.assertEqual(pool.starmap(end_of, [(model, k) for k in range(1, 4)]), alone)
                with self.assertRaisesRegex(dalembert.Error, "no option 'stpe'"):
                    pool.apply(model.simulate, kwds={"stpe": 1})

    def test_what_is_closed_says_so(self):
        with dalembert.parse(CART).simulate() as sim:
            model = sim.model
            sim.step()
        self.assertIn("closed", repr(sim))
        self.assertRaisesRegex(ValueError, "closed", sim.step)
        sim = model.simulate()
        model.close()  # what was made from it lives on
        sim.step()
        self.assertRaisesRegex(ValueError, "closed", model.simulate)

    def test_what_is_in_a_cycle_ends_in_order(self):
        sim = dalembert.parse(CART).simulate()
        sim.itself, freed = sim, []
        for owned in (sim.owned, *sim.owned._needs):
            owned._free = lambda handle, free=owned._free: (freed.append(handle), free(handle))
        handles = [sim.handle, sim.model.handle]
        del sim, owned
        gc.collect()
        self.assertEqual(freed[:2], handles)


if __name__ == "__main__":
    unittest.main()
