/* odeint.cpp - Boost.odeint in the contest: templates, so that its loops are inlined as those by hand are. */
#include "problem.h"

#include "forces.h"

#include <array>
#include <boost/numeric/odeint.hpp>
#include <cstring>

namespace ode = boost::numeric::odeint;

namespace {

typedef void force(const double *q, const double *v, double *F);

template <int n, force F> int verlet(const problem *p, double h, double until, double *y, double *cpu)
{
    typedef std::array<double, n> point;
    ode::velocity_verlet<point>   stepper;
    std::pair<point, point>       x;
    const long                    steps = whole_steps(h, until);
    for (int i = 0; i < n; i++) x.first[i] = p->start[i], x.second[i] = p->start[n + i];
    auto   rhs = [](const point &q, const point &v, point &a, double) { F(q.data(), v.data(), a.data()); };
    double begin = cpu_seconds();
    ode::integrate_n_steps(stepper, rhs, x, 0.0, until / double(steps), size_t(steps));
    *cpu = cpu_seconds() - begin;
    for (int i = 0; i < n; i++) y[i] = x.first[i], y[n + i] = x.second[i];
    return 1;
}

int run_verlet(const problem *p, double h, double until, double *y, double *cpu)
{
    if (p == &double_well) return verlet<1, well_force>(p, h, until, y, cpu);
    if (p == &kepler) return verlet<2, kepler_force>(p, h, until, y, cpu);
    return 0;
}

template <int size, typename right> int adaptive(const problem *p, right f, double tol, double until, double *y, double *cpu)
{
    typedef std::array<double, size> point;
    point                            x;
    std::memcpy(x.data(), p->start, sizeof x);
    auto   stepper = ode::make_controlled(tol, tol, ode::runge_kutta_fehlberg78<point>());
    double begin = cpu_seconds();
    ode::integrate_adaptive(stepper, [f](const point &a, point &da, double t) { f(t, a.data(), da.data()); }, x, 0.0,
                            until, 1e-3);
    *cpu = cpu_seconds() - begin;
    std::memcpy(y, x.data(), sizeof x);
    return 1;
}

template <int n, force F> void first_order(double, const double *y, double *dy)
{
    for (int i = 0; i < n; i++) dy[i] = y[n + i];
    F(y, y + n, dy + n);
}

int run_rkf78(const problem *p, double tol, double until, double *y, double *cpu)
{
    if (p == &double_well) return adaptive<2>(p, first_order<1, well_force>, tol, until, y, cpu);
    if (p == &kepler) return adaptive<4>(p, first_order<2, kepler_force>, tol, until, y, cpu);
    if (p == &van_der_pol) return adaptive<4>(p, first_order<2, vdp_force>, tol, until, y, cpu);
    return adaptive<5>(p, p->rhs, tol, until, y, cpu);
}

const contestant all[RACES] = {{nullptr, nullptr, 0, 0},
                               {"odeint velocity_verlet", run_verlet, 1, 0},
                               {"odeint rkf78", run_rkf78, 0, 0}};

} // namespace

extern "C" const contestant *odeint(race r, int k)
{
    return k || !all[r].name ? nullptr : &all[r];
}
