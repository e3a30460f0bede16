// SPDX-License-Identifier: Apache-2.0
/**
 * What a function needs of the machine that runs it. {@link io.fiber.runtime.serialization.FunctionResources} is the one place that answers;
 * {@link io.fiber.function.FunctionWithResources} is a function to which the program has tied its needs,
 * {@link io.fiber.runtime.serialization.ReferencedMethod} finds the method behind a method reference, {@link
 * io.fiber.runtime.serialization.LambdaBody} those that a lambda calls, from its {@link io.fiber.runtime.serialization.ClassFile}.
 */
@NullMarked
package io.fiber.runtime.serialization;

import org.jspecify.annotations.NullMarked;
