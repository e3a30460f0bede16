// SPDX-License-Identifier: Apache-2.0
/**
 * Objects and bytes: how arguments, functions, results and exceptions are written and read, and what a function needs
 * of the machine that runs it.
 *
 * <p>Row 1; it uses {@code protocol}, and {@code logging} and {@code platform} of row 0.
 *
 * <p>The way of a value: a process has one {@link Codecs}. {@link ValueCodec} writes null, boxed primitives, strings
 * and arrays of primitives itself ({@link PlainValues}, {@link PrimitiveArrays}, each value behind a {@link Tag}) and
 * hands everything else to an {@code ObjectSerializer}. The standard one is {@link JavaSerializer}, which {@link
 * JavaSerializerProvider} provides: a record or lambda of plain values goes by {@link FlatWriter} and {@link
 * FlatReader}, the rest by an object stream behind the {@link TypeFilter}, which asks {@link
 * JdkTypes} about classes of the JDK. Where classes are loaded remotely, {@link RemoteClassSerializer} puts the number of a class edition in front, which a {@link
 * RemoteClassResolver} knows. A value that cannot be written or read becomes an error that names it: {@link
 * WriteFailure}, which shows the way to the object ({@link ObjectPath}) and what to do ({@link Hints}), or {@link
 * ReadFailure}. An exception goes by {@link FailureCodec}, as text always and as itself where
 * possible, and arrives as a {@link RemoteFailure}. {@link ThrowableWriter} and {@link ThrowableReader} take it apart,
 * so that one cause that cannot travel does not take the others with it; for that a {@link SubstitutingSerializer} puts
 * a {@link Placeholder} in the place of each other exception.
 *
 * <p>The code of a function: {@link ProgramClasses} writes the {@link ClassStamp} of each class that it is of in front of
 * it, and refuses a function that would run other code at its reader. {@link FunctionShape} tells functions from other
 * values, and finds those that a function captured.
 *
 * <p>Objects that are nested too deeply for the stack of the calling thread are written and read on a {@link DeepStack}.
 *
 * <p>Functions are made at their {@link LambdaSite}, by the class that wrote them or by {@link LambdaFactory}.
 *
 * <p>The resources of a function: {@link FunctionResources#of} asks, in this order, the annotation on its class, on the
 * method that it refers to ({@link ReferencedMethod}), and on the one method that its lambda calls ({@link LambdaBody},
 * read from its {@link ClassFile}).
 */
@NullMarked
package io.fiber.runtime.serialization;

import org.jspecify.annotations.NullMarked;
