/* odeint.cpp - Boost.odeint with the chain: velocity Verlet on vectors, its force inlined. */
#include "../bench.h"
#include "large.h"

#include <boost/numeric/odeint.hpp>
#include <vector>

namespace
{

namespace ode = boost::numeric::odeint;
typedef std::vector<double> row;

struct force {
    void operator()(const row &x, const row &, row &a, double) const
    {
        const size_t n = x.size();
        a[0] = 2 * pull(x[1] - x[0]);
        for (size_t i = 1; i < n - 1; i++) a[i] = pull(x[i + 1] - x[i]) - pull(x[i] - x[i - 1]);
        a[n - 1] = -2 * pull(x[n - 1] - x[n - 2]);
    }
};

struct chain {
    event                     e;
    std::pair<row, row>       state;
    ode::velocity_verlet<row> stepper;
    double                    t = 0;
};

void *start(const event *e)
{
    if (e->which != SPRINGS_VERLET || e->compensated) return nullptr;
    chain *c = new chain;
    c->e = *e, c->state.first.resize(e->n + 1), c->state.second.resize(e->n + 1, 0.0);
    chain_start(e->n + 1, c->state.first.data());
    return c;
}

double advance(void *self, long steps)
{
    chain *c = static_cast<chain *>(self);
    double begin = seconds();
    for (long k = 0; k < steps; k++, c->t += H_VERLET)
        c->stepper.do_step(force(), c->state, c->t, H_VERLET);
    return seconds() - begin;
}

void look(void *self, double *x)
{
    const row &q = static_cast<chain *>(self)->state.first;
    std::copy(q.begin(), q.end(), x);
}

void stop(void *self)
{
    delete static_cast<chain *>(self);
}

const runner verlet = {"odeint velocity_verlet", start, advance, look, stop, nullptr, 0, 0};

} // namespace

extern "C" const runner *odeint(int k)
{
    return k ? nullptr : &verlet;
}
