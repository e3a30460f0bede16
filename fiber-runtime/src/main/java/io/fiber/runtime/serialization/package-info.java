// SPDX-License-Identifier: Apache-2.0
/**
 * Converts objects to bytes and back: arguments, functions, results and exceptions.
 *
 * <p>Row 1. It uses {@code serialization.functions}, which does not use it; {@code protocol}; and {@code logging} and
 * {@code platform} of row 0.
 *
 * <p>The way of a value: a process has one {@link Codecs}. {@link ValueCodec} itself writes null, boxed primitives,
 * strings and arrays of primitives ({@link PlainValues}, {@link PrimitiveArrays}, each value after a {@link Tag}) and
 * passes everything else to an {@code ObjectSerializer}. The standard one is {@link JavaSerializer}, which {@link
 * JavaSerializerProvider} provides. It writes a record or lambda of plain values with {@link FlatWriter} and {@link
 * FlatReader}, and the rest with an object stream behind the {@link TypeFilter}, which asks {@link JdkTypes} about
 * classes of the JDK. If classes are loaded remotely, {@link RemoteClassSerializer} puts the number of a class edition
 * in front, which a {@link RemoteClassResolver} knows. Objects that are nested too deeply for the stack of the calling
 * thread are written and read on a {@link DeepStack}.
 *
 * <p>The way of a failure: a value that cannot be written or read becomes an error that names it. This is a {@link
 * WriteFailure}, which shows the path to the object ({@link ObjectPath}) and what to do ({@link Hints}), or a {@link
 * ReadFailure}. {@link FailureCodec} writes an exception as text and, if possible, as an object; it arrives as a {@link
 * RemoteFailure}. {@link ThrowableWriter} and {@link ThrowableReader} split it, so that one cause that cannot be sent
 * does not affect the others. For that, a {@link SubstitutingSerializer} puts a {@link Placeholder} in place of each
 * other exception.
 *
 * <p>To change which classes may be read, open {@link TypeFilter} and {@link JdkTypes}; what an error advises, {@link
 * Hints} and {@link ReadFailure}; which objects are written flat, {@link FlatWriter} with {@link RecordForm} and {@link
 * LambdaForm}.
 */
@NullMarked
package io.fiber.runtime.serialization;

import org.jspecify.annotations.NullMarked;
