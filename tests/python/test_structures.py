"""Retractions and Dirac structures: membership, bases, products, and runs along chords."""

import math
import unittest

import dalembert

SPHERE = """
system Ball {
  coordinate x, y, z
  parameter g = 1
  lagrangian (x'^2 + y'^2 + z'^2)/2 - g*z
  holonomic x^2 + y^2 + z^2 = 1
  constraint z' = x*y' - y*x'
  start x = 1, y' = 0.5, z' = 0.5
}
"""


def rows(values):
    return [[float(x) for x in row] for row in values]


class Structures(unittest.TestCase):
    def test_an_induced_structure_is_one(self):
        D = dalembert.Structure.induced([[1, 2, 0], [0, 0, 1]])
        self.assertEqual((D.n, D.relations), (3, 2))
        z = [0, 0, 0, 1, 2, 3, 0.2, -0.1, 0, 1, 2, 3]  # (1, 2, 0).(q1 - q0) = 0
        self.assertLess(D.residual(0.1, z, D.flat(z)), 1e-15)
        self.assertEqual([abs(float(x)) < 1e-15 for x in D.constraint(0.1, z)], [True, True])
        moved = z[:6] + [0.3] + z[7:]
        self.assertAlmostEqual(D.residual(0.1, moved, D.flat(moved)), 0.1)
        basis, defect = D.fibre(0.1, z)
        self.assertEqual((len(basis), len(basis[0])), (6, 12))
        self.assertLess(defect, 1e-14)
        self.assertEqual(rows(D.annihilator(0.1, z)), [[1, 2, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0]])

    def test_forms_may_be_functions_of_q(self):
        def W(q):
            return [[1, q[0]]], [[[0, 0], [1, 0]]]
        D = dalembert.Structure.induced(W, n=2, rows=1, retraction=dalembert.Retraction.flat(2, at="left"))
        # at the left end: (1, q0) . (q1 - q0)/h
        z = [2, 0, 0, 0, 2.4, -0.2, 0, 0]
        self.assertLess(abs(float(D.constraint(0.1, z)[0])), 1e-14)
        other = dalembert.Structure.induced(W, n=2, rows=1)
        self.assertGreater(abs(float(other.constraint(0.1, z)[0])), 1e-3)

    def test_products(self):
        D = dalembert.Structure.induced(n=1)
        pair = dalembert.Structure.direct_sum(D, D)
        joined = pair.bowtie(dalembert.Structure.interaction([[1, -1]]))
        del D, pair  # what it is made of lives on
        self.assertEqual((joined.n, joined.relations), (2, 1))
        together = [0, 0, 1, 1, 0.5, 0.5, 1, 1]
        self.assertLess(joined.residual(0.1, together, joined.flat(together)), 1e-15)
        self.assertGreater(joined.residual(0.1, [0, 0, 1, 1, 0.5, 0, 1, 1], joined.flat(together)), 0.1)
        with self.assertRaises(dalembert.Error):
            dalembert.Structure.induced(n=2).bowtie(dalembert.Structure.induced(n=1))

    def test_a_differential_has_its_slots(self):
        D = dalembert.Structure.induced(n=1)
        self.assertEqual([float(x) for x in D.differential([1], [2], [3], [4])], [1, 4, -3, 2])

    def test_bases_of_one_forms(self):
        self.assertEqual(len(dalembert.dirac([[3, 4]])), 4)
        self.assertLess(dalembert.dirac_residual([[3, 4]], [4, -3, 1, 2, 2, 2, 4, -3]), 1e-14)  # a_q + v_p = (3, 4)
        self.assertGreater(dalembert.dirac_residual([[3, 4]], [4, -3, 1, 2, 0, 0, 4, -3]), 0.1)
        delta, normal = dalembert.distribution([[3, 4]]), dalembert.annihilator([[3, 4]])
        self.assertAlmostEqual(3*delta[0][0] + 4*delta[0][1], 0)
        self.assertAlmostEqual(abs(normal[0][0]), 0.6)

    def test_words_are_checked(self):
        for wrong in (lambda: dalembert.Structure.induced(n=1, side="up"), lambda: dalembert.Retraction.flat(2, at="top"),
                      lambda: dalembert.Structure.induced(n=1).flat([1, 2])):
            self.assertRaises(ValueError, wrong)


class Retractions(unittest.TestCase):
    def test_the_sphere_of_the_library_and_one_of_functions_agree(self):
        def norm(v):
            return math.sqrt(sum(x*x for x in v))

        def apply(q, v):
            w = [a + b for a, b in zip(q, v)]
            r = norm(w)
            d = [[((i == j) - w[i]*w[j]/r**2)/r for j in range(3)] for i in range(3)]
            return [x/r for x in w], d, d

        def inverse(q, q1):  # q + v = q1/(q.q1)
            c = sum(a*b for a, b in zip(q, q1))
            if c <= 0:
                return None
            by_q = [[-q1[i]*q1[j]/c**2 - (i == j) for j in range(3)] for i in range(3)]
            by_q1 = [[(i == j)/c - q1[i]*q[j]/c**2 for j in range(3)] for i in range(3)]
            return [b/c - a for a, b in zip(q, q1)], by_q, by_q1

        model, ends = dalembert.parse(SPHERE), []
        for R in (dalembert.Retraction.sphere(3, at="left"), dalembert.Retraction(3, apply, inverse, at="left"), "left"):
            ends.append(model.run(retraction=R, scheme="midpoint", step=0.05, until=1)["z"][-1])
        self.assertAlmostEqual(ends[0], ends[1], 12)
        self.assertGreater(abs(ends[0] - ends[2]), 1e-6)

    def test_one_that_does_not_fit_is_refused(self):
        with self.assertRaises(dalembert.Error):
            dalembert.parse(SPHERE).simulate(retraction=dalembert.Retraction.sphere(2), step=0.1)

    def test_one_forms_of_a_simulation(self):
        sim = dalembert.parse(SPHERE).simulate(step=0.1)
        self.assertEqual(rows(sim.one_forms()), [[0, -1, 1], [2, 0, 0]])


if __name__ == "__main__":
    unittest.main()
