// SPDX-License-Identifier: Apache-2.0
/**
 * What a function needs of the machine that runs it. {@link io.fiber.runtime.needs.Needs} is the one place that answers;
 * {@link io.fiber.runtime.needs.Attached} is a function to which the program has tied its needs,
 * {@link io.fiber.runtime.needs.ReferencedMethod} finds the method behind a method reference, {@link
 * io.fiber.runtime.needs.LambdaBody} those that a lambda calls, from its {@link io.fiber.runtime.needs.ClassFile}.
 */
@NullMarked
package io.fiber.runtime.needs;

import org.jspecify.annotations.NullMarked;
