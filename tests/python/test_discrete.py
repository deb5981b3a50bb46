"""Discrete objects: of a chord, exact ones, the triple, and steps by functions of one's own."""

import math
import unittest

import dalembert

OSCILLATOR = "system O {\n  coordinate q\n  lagrangian q'^2/2 - 2*q^2\n  start q = 0.8, q' = 0.1\n}\n"


class Chords(unittest.TestCase):
    def test_exact_values_are_those_of_an_oscillator(self):
        d, h, q0, q1 = dalembert.parse(OSCILLATOR).discrete(scheme="midpoint"), 0.7, 0.8, 0.3
        s, c = math.sin(2*h), math.cos(2*h)
        chord = d.at([q0], [q1], h, exact=True)
        self.assertAlmostEqual(chord.L, ((q0*q0 + q1*q1)*c - 2*q0*q1)/s, 12)
        self.assertAlmostEqual(chord.p0[0], 2/s*(q1 - q0*c), 12)
        H, p0, end = d.plus([q0], chord.p1, h, exact=True)
        self.assertAlmostEqual(H, chord.p1[0]*q1 - chord.L, 11)
        self.assertAlmostEqual(end[0], q1, 11)
        for found, want in zip(sum(d.second([q0], [q1], h, exact=True), ()), (c, -1, -1, c)):
            self.assertAlmostEqual(found, 2*want/s, 11)
        with self.assertRaisesRegex(dalembert.Error, "conjugate"):
            d.at([q0], [-q0], math.pi/2, exact=True)

    def test_values_of_a_scheme_belong_to_its_steps(self):
        sim = dalembert.parse(OSCILLATOR).simulate(scheme="gauss(2)", step=0.2)
        d, q0, p0 = dalembert.parse(OSCILLATOR).discrete(scheme="gauss(2)"), list(sim.q), list(sim.p)
        sim.step()
        chord = d.at(q0, sim.q, 0.2)
        self.assertAlmostEqual(chord.p0[0], p0[0], 13)
        self.assertAlmostEqual(chord.p1[0], sim.p[0], 13)

    def test_maps_have_inverses(self):
        x = [1, 2, 3, 4, 5, 6, 7, 8]
        self.assertEqual(list(dalembert.triple("gamma+", x)), [1, 2, 7, 8, -5, -6, 3, 4])
        for name in ("kappa", "omega+", "omega-", "gamma+", "gamma-"):
            self.assertEqual(list(dalembert.triple(name, dalembert.triple(name, x), inverse=True)), x)


class Doubled(unittest.TestCase):
    def test_the_doubled_run_is_the_forced_one(self):
        found = dalembert.example("van_der_pol").duplicate(scheme="gauss(2)", step=0.05, until=1)
        self.assertLess(found.off_diagonal, 1e-13)
        self.assertLess(found.apart, 1e-13)
        self.assertAlmostEqual(found.observed, 4, 1)
        for x in found.by.values():
            self.assertLess(x["apart"], 1e-13)


class Functions(unittest.TestCase):
    def test_a_lagrangian_of_ones_own_steps_as_the_scheme(self):
        def L(_t, h, q0, q1):
            return h*(((q1[0] - q0[0])/h)**2/2 - 2*((q0[0] + q1[0])/2)**2)
        own = dalembert.Generating(1, "L", L)
        sim = dalembert.parse(OSCILLATOR).simulate(scheme="midpoint", step=0.1)
        q, p = list(sim.q), list(sim.p)
        for _ in range(5):
            q, p, _mu = own.step(q, p, 0.1)
            sim.step()
        self.assertAlmostEqual(q[0], sim.q[0], 9)
        self.assertAlmostEqual(p[0], sim.p[0], 9)

    def test_structures_need_not_be_induced(self):
        free = dalembert.Generating(
            2, "H+", lambda _t, h, q, p: p[0]*q[0] + p[1]*q[1] + h*(p[0]**2 + p[1]**2)/2,
            structure=lambda _h, _z, v, a: [v[0] - a[2], v[1] - a[3], v[2] + a[0] - v[1], v[3] + a[1] + v[0]])
        _q, p, _mu = free.step([0, 0], [1, 0], 0.1)
        self.assertAlmostEqual(p[0], 1/1.01, 10)
        self.assertAlmostEqual(p[1], -0.1/1.01, 10)

    def test_what_has_no_value_is_said(self):
        def nothing(_t, _h, _a, _b):
            return 1/0
        with self.assertRaisesRegex(dalembert.Error, "no step"):
            dalembert.Generating(1, "L", nothing).step([0], [1], 0.1)


if __name__ == "__main__":
    unittest.main()
