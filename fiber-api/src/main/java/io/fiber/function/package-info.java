// SPDX-License-Identifier: Apache-2.0
/**
 * Types of functions that travel to another process and may throw any exception. They differ from the JDK's in two
 * ways. They are {@link java.io.Serializable}, so you can pass a plain lambda or method reference. They declare {@code
 * throws Exception}, so a task need not wrap checked exceptions.
 *
 * <p>What a lambda captures travels with it and must be serializable too. A lambda that uses a field captures {@code
 * this}, so copy the field to a local variable first. A method reference to a static method captures nothing.
 *
 * <ul>
 *   <li>{@link io.fiber.function.RemoteCallable} and {@link io.fiber.function.RemoteRunnable} have no argument
 *   <li>{@link io.fiber.function.RemoteFunction} has one argument; use a record if you need several
 *   <li>{@link io.fiber.function.RemoteConsumer} has one argument and no result: an action of {@code forEach}, or the code of a ring's
 *       members
 *   <li>{@link io.fiber.function.SerializableFunction}, {@link io.fiber.function.SerializableBiFunction}, {@link
 *       io.fiber.function.SerializablePredicate}, {@link io.fiber.function.SerializableUnaryOperator} and {@link
 *       io.fiber.function.SerializableComparator} are for the collections of a {@link io.fiber.Manager}. They extend
 *       the JDK's types, because a managed map is a {@link java.util.Map}, so they may not throw checked exceptions
 *   <li>{@link io.fiber.function.FloatBinaryOperator} is the operator on floats that the JDK lacks; it is not sent to
 *       another process
 * </ul>
 */
@NullMarked
package io.fiber.function;

import org.jspecify.annotations.NullMarked;
