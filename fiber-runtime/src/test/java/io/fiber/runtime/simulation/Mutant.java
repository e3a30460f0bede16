// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

/**
 * A deliberate bug: a piece of a source that is replaced.
 *
 * @param name what goes wrong, in words
 * @param source the class, from {@code io.fiber.runtime} on
 * @param right what stands there; exactly once
 * @param wrong what is put in its place
 * @param firstSeed where the search for it begins
 */
record Mutant(String name, String source, String right, String wrong, long firstSeed) {

    Mutant(String name, String source, String right, String wrong) {
        this(name, source, right, wrong, 1);
    }

    /** Returns a bug that few seeds find, with one of them: the search begins there and goes as far as that of others. */
    Mutant rare(long seed) {
        return new Mutant(name, source, right, wrong, seed);
    }

    @Override
    public String toString() {
        return name;
    }
}
