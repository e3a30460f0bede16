// SPDX-License-Identifier: Apache-2.0
package com.example.libraries;

import io.fiber.Fiber;
import io.fiber.Pool;
import java.io.Serializable;
import java.util.List;
import java.util.stream.IntStream;
import org.hipparchus.ode.ODEState;
import org.hipparchus.ode.OrdinaryDifferentialEquation;
import org.hipparchus.ode.nonstiff.DormandPrince853Integrator;

/** Integrates many orbits with Hipparchus, each in a worker, from apogee for one period. */
public final class HipparchusOrbits {
    private HipparchusOrbits() {}

    /** How far an orbit ended from where it began, and how many steps that took. */
    record Closed(double eccentricity, double error, int evaluations) implements Serializable {}

    /** The plane Kepler problem, with a semi-major axis of 1. */
    private static final class Kepler implements OrdinaryDifferentialEquation {
        @Override
        public int getDimension() {
            return 4;
        }

        @Override
        public double[] computeDerivatives(double t, double[] y) {
            double cube = Math.pow(Math.hypot(y[0], y[1]), 3);
            return new double[] {y[2], y[3], -y[0] / cube, -y[1] / cube};
        }
    }

    static Closed orbit(double eccentricity) {
        double[] start = {1 + eccentricity, 0, 0, Math.sqrt((1 - eccentricity) / (1 + eccentricity))};
        DormandPrince853Integrator integrator = new DormandPrince853Integrator(1e-8, 1, 1e-12, 1e-12);
        double[] end = integrator
                .integrate(new Kepler(), new ODEState(0, start), 2 * Math.PI)
                .getPrimaryState();
        return new Closed(eccentricity, Math.hypot(end[0] - start[0], end[1] - start[1]), integrator.getEvaluations());
    }

    public static void main(String[] args) {
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(2)) {
            List<Closed> orbits =
                    pool.map(HipparchusOrbits::orbit, IntStream.range(0, 90).mapToObj(i -> i / 100.0));
            for (Closed orbit : orbits) {
                Check.that(orbit.error() < 1e-8, "a closed orbit, not " + orbit);
            }
            System.out.println(orbits.get(orbits.size() - 1));
            Check.ranInWorkers(pool, 90);
        }
    }
}
