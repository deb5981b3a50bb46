/* simbody.cpp - a chain of rods with ball joints in Simbody: relative coordinates, recursive dynamics, and Merson's
 * Runge-Kutta method of order 4, which was the fastest of its integrators here. */
#include "rods.h"

#include "bench.h"

#include <Simbody.h>
#include <cmath>
#include <vector>

using namespace SimTK;

double rods_by_simbody(int rods, double tolerance, double *end)
{
    const double           l = ROD_LENGTH, r = ROD_RADIUS, across = l * l / 12 + r * r / 4, along = r * r / 2;
    MultibodySystem        system;
    SimbodyMatterSubsystem matter(system);
    GeneralForceSubsystem  forces(system);
    Force::UniformGravity  weight(forces, matter, Vec3(0, 0, -ROD_GRAVITY));
    Body::Rigid            rod(MassProperties(1, Vec3(0), Inertia(across, across, along)));
    std::vector<MobilizedBody> chain;
    for (int k = 0; k < rods; k++) {
        MobilizedBody &on = k ? chain.back() : (MobilizedBody &)matter.updGround();
        chain.push_back(MobilizedBody::Ball(on, Transform(Vec3(0, 0, k ? -l / 2 : 0)), rod, Transform(Vec3(0, 0, l / 2))));
    }
    State    start = system.realizeTopology();
    Rotation before;
    for (int k = 0; k < rods; k++) {
        const Rotation R(ROD_TILT, UnitVec3(std::cos(k + 1), std::sin(k + 1), 0));
        chain[k].setQToFitRotation(start, ~before * R);
        before = R;
    }
    RungeKuttaMersonIntegrator integrator(system);
    integrator.setAccuracy(tolerance);
    TimeStepper stepper(system, integrator);
    stepper.initialize(start);
    const double begin = seconds();
    stepper.stepTo(1);
    const double spent = seconds() - begin;
    for (int k = 0; k < rods; k++)
        for (int i = 0; i < 3; i++) end[3 * k + i] = chain[k].getBodyOriginLocation(integrator.getState())[i];
    return spent;
}
