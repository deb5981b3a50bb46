"""What becomes of a motion: files as the program writes them, pages, pictures, tables of other libraries; and what is measured."""

import csv
import json
import math
import os
import subprocess
import tempfile
import unittest
import zipfile

import dalembert

try:
    import numpy
except ImportError:
    numpy = None


def module(name):
    try:
        return __import__(name) if numpy else None  # none of them does without
    except ImportError:
        return None


SPRING = "system Spring {\n coordinate x \"m\"\n parameter k = 4\n lagrangian x'^2/2 - k/2*x^2\n force x: -x'/10\n" \
         " output stretch \"mm\" = 2*x\n start x = 1\n}\n" \
         "simulate {\n scheme = gauss(2)\n step = 0.05\n until = 1\n}\n"

# models by example, with the options of a run: constraints, parts, the energy principle, exponents
RUNS = [("double_pendulum", {"until": 1}), ("rolling_disk", {"steps": 5}), ("motor", {"steps": 20, "ledger": True}),
        ("double_well", {"principle": "energy", "scheme": "midpoint", "steps": 10}), ("henon_heiles", {"steps": 30, "lyapunov": 2})]


def flags(options):
    for key, value in options.items():
        yield from ["--" + key] if value is True else ["--" + key, str(value)]


def without_time(summary):
    return {key: x for key, x in summary.items() if key not in ("time", "file", "backend")}


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.at = lambda name: os.path.join(folder.name, name)

    def program(self, *arguments):
        return subprocess.run([dalembert.program(), *arguments], check=True, capture_output=True, encoding="utf-8").stdout

    def text(self, path, name):
        """A text of an archive of NumPy."""
        with zipfile.ZipFile(path) as z:
            return z.read(name + ".npy")[128:].decode("utf-32").rstrip("\0")

    def test_an_archive_has_what_that_of_the_program_has(self):
        for name, options in RUNS:
            with self.subTest(name):
                model = dalembert.example(name)
                ours, theirs = self.at("ours.npz"), self.at("theirs.npz")
                model.run(**options).save(ours)
                self.program("run", os.path.join(dalembert._model._examples_folder(), name + ".dal"), "-o", theirs, "--quiet",
                             *flags(options))
                with zipfile.ZipFile(ours) as a, zipfile.ZipFile(theirs) as b:
                    self.assertEqual(sorted(a.namelist()), sorted(b.namelist()))
                    for member in set(a.namelist()) - {"summary.npy", "parameters.npy", "options.npy", "data.npy"}:
                        self.assertEqual(a.read(member)[-40:], b.read(member)[-40:], member)
                    self.assertEqual(a.read("data.npy")[-800:], b.read("data.npy")[-800:], "the bits of the last rows")
                for member in ("parameters", "options"):
                    self.assertEqual(json.loads(self.text(ours, member)), json.loads(self.text(theirs, member)))
                ours, theirs = (json.loads(self.text(path, "summary")) for path in (ours, theirs))
                self.assertEqual(list(ours), list(theirs))
                self.assertEqual(without_time(ours), without_time(theirs))

    def test_csv_reads_back_to_the_same_bits(self):
        motion = dalembert.parse(SPRING).run()
        motion.save(self.at("a.csv"))
        with open(self.at("a.csv"), encoding="utf-8") as f:
            head, *rows = csv.reader(f)
        self.assertEqual(head, motion.names)
        self.assertEqual([float(row[1]) for row in rows], [float(x) for x in motion["x"]])
        self.assertIn("a.csv", self.program("plot", self.at("a.csv"), "-o", self.at("a.txt")) + "a.csv")

    @unittest.skipUnless(numpy, "numpy is missing")
    def test_numpy_reads_them(self):
        motion = dalembert.parse(SPRING).run()
        motion.save(self.at("a.npy")), motion.save(self.at("a.npz"))
        self.assertTrue((numpy.load(self.at("a.npy")) == motion.rows).all())
        with numpy.load(self.at("a.npz")) as z:
            self.assertEqual([list(z["columns"]), list(z["units"])], [motion.names, ["", "m", "", "mm", ""]])
            self.assertEqual(str(z["model"]), SPRING)

    @unittest.skipUnless(module("h5py"), "h5py is missing")
    def test_hdf5_has_what_that_of_the_program_has(self):
        import h5py
        with open(self.at("spring.dal"), "w", encoding="utf-8") as f:
            f.write(SPRING)
        dalembert.load(self.at("spring.dal")).run().save(self.at("ours.h5"))
        try:
            self.program("run", self.at("spring.dal"), "-o", self.at("theirs.h5"), "--quiet")
        except subprocess.CalledProcessError as reason:
            self.skipTest(reason.stderr)
        with h5py.File(self.at("ours.h5")) as a, h5py.File(self.at("theirs.h5")) as b:
            self.assertEqual((sorted(a), sorted(a.attrs)), (sorted(b), sorted(b.attrs)))
            for name in a:
                self.assertEqual((a[name].shape, a[name].dtype), (b[name].shape, b[name].dtype))
                self.assertTrue((a[name][...] == b[name][...]).all())
                for word in ("names", "units"):
                    self.assertEqual(list(a[name].attrs[word]), list(b[name].attrs[word]))
        self.program("report", self.at("ours.h5"), "-o", self.at("page.html"))

    def test_a_file_that_would_surprise_is_refused(self):
        motion = dalembert.parse(SPRING).run()
        with self.assertRaisesRegex(ValueError, "would be text"):
            motion.save(self.at("a.parquet"))
        if not module("h5py"):
            with self.assertRaisesRegex(ImportError, "h5py is missing"):
                motion.save(self.at("a.h5"))

    def test_a_run_that_failed_can_be_saved(self):
        with self.assertRaises(dalembert.Error) as caught:
            dalembert.parse("system A {\n coordinate x\n lagrangian x'^2/2 - log(x)\n start x = 1\n}").run(step=0.1, until=9)
        motion = caught.exception.motion
        motion.save(self.at("a.npz"))
        self.assertEqual(json.loads(self.text(self.at("a.npz"), "summary"))["status"], "failed")
        self.assertIn("failed", motion.report())

    def test_what_is_resumed_knows_its_options(self):
        model = dalembert.parse(SPRING)
        sim = model.simulate(set={"k": 9}, until=0.5)
        sim.step(4)
        sim.save(self.at("a.checkpoint"))
        dalembert.resume(self.at("a.checkpoint")).run().save(self.at("a.npz"))
        self.assertEqual(json.loads(self.text(self.at("a.npz"), "options")), {"set": ["k=9"], "until": "0.5"})


class Pages(unittest.TestCase):
    def test_a_page_has_plots_certificate_and_equations(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "page.html")
            page = dalembert.parse(SPRING).run().report(path)
            with open(path, encoding="utf-8") as f:
                self.assertEqual(f.read(), page)
        for words in ("<math", "power balance", "the run reached its end", "stretch"):
            self.assertIn(words, page)
        self.assertNotIn(tempfile.gettempdir() + "/", page)

    def test_it_can_measure_the_order(self):
        self.assertIn("order observed in q", dalembert.parse(SPRING).run().report(verify=True))

    def test_a_model_of_functions_has_a_page_too(self):
        def spring(_want, at, out):
            out.L = at.v[0]**2/2 - at.q[0]**2/2
            out.Lq[0], out.Lv[0] = -at.q[0], at.v[0]
        motion = dalembert.from_functions(spring, ["x"], q=[1], zero=("f",), missing=("hessian",)).run(step=0.1, steps=5)
        self.assertIn("the run reached its end", motion.report())


class Pictures(unittest.TestCase):
    def setUp(self):
        self.motion = dalembert.parse(SPRING).run()

    @unittest.skipUnless(module("matplotlib"), "matplotlib is missing")
    def test_matplotlib_draws_panels_by_unit(self):
        figure = self.motion.plot("x", "p(x)", "stretch", ("x", "p(x)"), title="springs")
        self.assertEqual([ax.get_ylabel() for ax in figure.axes], ["x (m)", "p(x)", "stretch (mm)", "p(x)"])
        self.assertEqual(figure.axes[3].get_xlabel(), "x (m)")
        self.assertEqual(list(figure.axes[0].lines[0].get_ydata()), list(self.motion["x"]))
        usual = self.motion.plot()
        self.assertEqual([ax.get_ylabel() for ax in usual.axes], ["stretch (mm)", "(E - E0)/|E0|"])
        with tempfile.TemporaryDirectory() as folder:
            self.motion.plot(path=os.path.join(folder, "a.png"))
            self.assertGreater(os.path.getsize(os.path.join(folder, "a.png")), 1000)

    def test_the_library_draws_svg(self):
        picture = self.motion.plot("x", ("x", "stretch"), by="svg", title="a < b")
        self.assertTrue(str(picture).startswith("<svg") or str(picture).startswith("<?xml"))
        for words in ("x (m)", "stretch (mm)", "a &lt; b", "</svg>"):
            self.assertIn(words, picture._repr_svg_())
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.svg")
            self.motion.plot(by="svg", path=path)
            with open(path, encoding="utf-8") as f:
                self.assertIn("E0", f.read())

    def test_a_path_is_as_round_as_it_is(self):
        orbit = dalembert.example("kepler").run()
        flags = [panel.flags for panel in dalembert._plot.panels(orbit, [("x", "y"), ("x", "p(x)"), "x"])]
        self.assertEqual(flags, [0, 4, 0])

    def test_what_cannot_be_drawn_is_refused(self):
        with self.assertRaisesRegex(KeyError, "'y' is not recorded"):
            self.motion.plot("y")
        with self.assertRaisesRegex(ValueError, "by='crayon'"):
            self.motion.plot(by="crayon")
        with self.assertRaisesRegex(ValueError, "draws SVG"):
            self.motion.plot(by="svg", path="a.png")


class Tables(unittest.TestCase):
    @unittest.skipUnless(module("pandas"), "pandas is missing")
    def test_pandas(self):
        motion = dalembert.parse(SPRING).run()
        table = motion.to_pandas()
        self.assertEqual((table.index.name, list(table.columns)), ("t", motion.names[1:]))
        self.assertEqual((table["x"].iloc[-1], table.attrs["units"]["x"]), (motion["x"][-1], "m"))
        members = dalembert.parse(SPRING).sweep(grid={"k": [1, 2]})
        self.assertEqual(list(members.to_pandas()["k"]), [1, 2])

    @unittest.skipUnless(module("xarray"), "xarray is missing")
    def test_xarray(self):
        motion = dalembert.parse(SPRING).run()
        data = motion.to_xarray()
        self.assertEqual((data["x"].dims, data["x"].attrs), (("t",), {"units": "m"}))
        self.assertEqual(float(data["x"].sel(t=0.0)), 1)
        self.assertEqual(dalembert.parse(SPRING).sweep(grid={"k": [1, 2]}).to_xarray()["k"].dims, ("member",))


class Measured(unittest.TestCase):
    def test_orders_are_those_claimed(self):
        found = dalembert.parse("system P {\n coordinate x\n lagrangian x'^2/2 + cos(x)\n start x = 1\n}").converge(
            schemes=["midpoint", "gauss(2)"], steps="16..128", until=2)
        self.assertEqual([one.name for one in found], ["midpoint", "gauss(2)"])
        for one in found:
            self.assertFalse(one.missed)
            self.assertAlmostEqual(one.observed["q"], one.claimed, delta=0.1)
        self.assertEqual([row.steps for row in found["gauss(2)"].rows], [16, 32, 64, 128])
        self.assertTrue(math.isnan(found["midpoint"].rows[0].order["q"]))
        self.assertIn("gauss(2), order 4", str(found))
        self.assertIn("<table>", found._repr_html_())
        self.assertIn("error in energy", str(found.plot("energy", by="svg")))
        with self.assertRaisesRegex(ValueError, "there are q, p, energy"):
            found.plot("x")
        with self.assertRaisesRegex(KeyError, "was not measured"):
            found["left"]

    def test_variational_orders(self):
        found = dalembert.example("van_der_pol").variational_order(scheme="lobatto(3)")
        self.assertEqual(found.claimed, 4)
        for x in found.observed.values():
            self.assertAlmostEqual(x, 4, delta=0.3)
        self.assertFalse(found.missed)

    def test_equivalence_is_what_the_program_prints(self):
        words = dalembert.parse(SPRING).equivalence("k/2*x^2", steps=10)
        self.assertIn("L + alpha V", words)
        with self.assertRaisesRegex(dalembert.Error, "no coordinate"):
            dalembert.parse(SPRING).equivalence("k")

    def test_equivalence_as_numbers(self):
        found = dalembert.parse(SPRING).equivalence_of("k/2*x^2", steps=10)
        self.assertEqual((found.kind, len(found.splits)), ("strong", 11))
        charge = dalembert.parse("system C {\n coordinate x, y\n lagrangian (x'^2 + y'^2)/2 - x^4 - y^4\n start x = 1, y = 1\n}")
        found = charge.equivalence_of("x*y'", step=0.1, steps=20, scheme="gauss(2)")
        self.assertEqual(found.kind, "weak")
        self.assertLess(found.splits[-1]["shifted"], 1e-13)
        self.assertGreater(found.splits[-1]["p"], 0.5)
        self.assertEqual(charge.equivalence_of("x*y'", step=0.1, steps=20, scheme="radau(2)").kind, "none")

    def test_tables(self):
        self.assertIn("yoshida", [row["name"] for row in dalembert.compositions()])
        self.assertIn("energy", dalembert.principles())
        self.assertIn("mathml", dalembert.views())


class Ensembles(unittest.TestCase):
    def test_statistics_are_those_of_the_members(self):
        members = dalembert.parse(SPRING).sweep(random={"k": "uniform(1, 2)"}, members=41, seed=2)
        self.assertEqual(members.swept, ["k"])
        x = sorted(float(one) for one in members["x"])
        s = members.statistics["x"]
        self.assertEqual((s["count"], s["min"], s["max"], s["quantiles"][2]), (41, x[0], x[-1], x[20]))
        self.assertAlmostEqual(s["mean"], sum(x)/41)
        shown = members._repr_html_()
        self.assertIn("<svg", shown)
        self.assertIn("median", shown)

    def test_members_are_drawn_as_histograms_and_points(self):
        members = dalembert.parse(SPRING).sweep(random={"k": "uniform(1, 2)"}, members=20)
        picture = str(members.plot("x", ("k", "x"), by="svg"))
        self.assertIn("members", picture)
        self.assertGreaterEqual(picture.count("<circle"), 20)
        same = dalembert.parse(SPRING).sweep(grid={"k": [1]})
        with self.assertRaisesRegex(ValueError, "nothing to draw"):
            same.plot()

    def test_members_that_fail_are_counted(self):
        members = dalembert.parse("system A {\n parameter k = 1\n coordinate x\n lagrangian x'^2/2 - log(k*x)\n start x = 1\n}").sweep(
            grid={"k": [1, -1]}, step=0.1, steps=3)
        self.assertEqual(list(members.failures), [1])
        self.assertIn("1 failed", members._repr_html_())


if __name__ == "__main__":
    unittest.main()
