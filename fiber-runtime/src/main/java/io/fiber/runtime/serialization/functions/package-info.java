// SPDX-License-Identifier: Apache-2.0
/**
 * Functions of a program: lambdas, method references and objects of classes. Which code they have, how they are created
 * where they are read, and which resources they need.
 *
 * <p>Row 1; {@code serialization} uses it, and not the reverse.
 *
 * <p>The code of a function: {@link ProgramClasses} returns the {@link ClassStamp} of each of its classes, which is written
 * in front of it, and its reader rejects a function that would run other code there, with a {@link
 * RefusedInputException}. {@link FunctionShape} tells functions from other values, and finds those that a function
 * captured.
 *
 * <p>The way of a lambda: {@link SerializedLambda} is read in place of the JDK's class of this name. Its {@link LambdaSite}
 * creates the function, through the class that wrote it or through {@link LambdaFactory}.
 *
 * <p>The resources of a function: {@link FunctionResources#of} asks, in this order, the annotation on its class, on the
 * method to which it refers ({@link ReferencedMethod}), and on the one method that its lambda calls ({@link
 * LambdaBody}, read from its {@link ClassFile}).
 *
 * <p>{@link FunctionName} names a function in errors; {@link CapturedGenerator} finds a random number generator that it
 * captured.
 */
@NullMarked
package io.fiber.runtime.serialization.functions;

import org.jspecify.annotations.NullMarked;
