// SPDX-License-Identifier: Apache-2.0
package io.fiber.function;

/** An operator on two floats with a float result; the JDK has such operators only for doubles, ints and longs. */
@FunctionalInterface
public interface FloatBinaryOperator {

    /** Applies the operator. */
    float applyAsFloat(float left, float right);
}
