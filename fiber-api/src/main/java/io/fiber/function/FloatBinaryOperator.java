// SPDX-License-Identifier: Apache-2.0
package io.fiber.function;

/** An operation of two floats that gives a third one: what the JDK has for doubles, ints and longs. */
@FunctionalInterface
public interface FloatBinaryOperator {

    /** Applies the operation. */
    float applyAsFloat(float left, float right);
}
