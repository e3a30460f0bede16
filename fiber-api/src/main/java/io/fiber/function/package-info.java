// SPDX-License-Identifier: Apache-2.0
/**
 * Functions that travel to another process and may throw anything. They are the JDK's shapes with two differences: they
 * are {@link java.io.Serializable}, so that a plain lambda or method reference given for one of them can be sent, and
 * they declare {@code throws Exception}, so that a task needs no wrapping of checked exceptions.
 *
 * <p>What a lambda captures travels with it and must be serializable too. A lambda that uses a field captures
 * {@code this}: copy the field to a local variable first. A method reference to a static method captures nothing.
 *
 * <ul>
 *   <li>{@link io.fiber.function.RemoteCallable}, {@link io.fiber.function.RemoteRunnable}: without an argument
 *   <li>{@link io.fiber.function.RemoteFunction}: of one object; a record names the parts of several arguments
 *   <li>{@link io.fiber.function.RemoteConsumer}: of one object, without a result; what the members of a ring run
 *   <li>{@link io.fiber.function.SerializableFunction}, {@link io.fiber.function.SerializableBiFunction},
 *       {@link io.fiber.function.SerializablePredicate}, {@link io.fiber.function.SerializableUnaryOperator},
 *       {@link io.fiber.function.SerializableComparator}: what collections of a {@link io.fiber.Manager} take. They are
 *       the JDK's types, so that a managed map is a {@link java.util.Map}, and so they may not throw checked exceptions
 *   <li>{@link io.fiber.function.FloatBinaryOperator}: the operator of floats that the JDK lacks; it is not sent to
 * another process
 * </ul>
 */
@NullMarked
package io.fiber.function;

import org.jspecify.annotations.NullMarked;
