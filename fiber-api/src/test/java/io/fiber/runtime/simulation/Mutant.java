// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

/**
 * A deliberate bug: a piece of a source that is replaced.
 *
 * @param name what goes wrong, in words
 * @param source the class, from {@code io.fiber.runtime} on
 * @param right what stands there; exactly once
 * @param wrong what is put in its place
 */
record Mutant(String name, String source, String right, String wrong) {

    @Override
    public String toString() {
        return name;
    }
}
