// SPDX-License-Identifier: Apache-2.0
/**
 * Bytes between processes: payloads, messages, frames, and the values on which both ends must agree.
 *
 * <p>Row 1; it uses nothing of the runtime but the codecs that SBE generates into {@code
 * io.fiber.runtime.protocol.codec} from {@code src/main/sbe/fiber-codecs.xml}. That file has the conversation on top:
 * which message may follow which.
 *
 * <p>The way of a message: the sender creates an {@link Outgoing}, with {@link Messages} or, for frequent messages,
 * with the class that the message is about. It writes its header with the thread's {@link Encoders}. Objects are sent
 * as a {@link Payload}, which {@link PayloadOutput} collects and {@link PayloadInput} reads, inside a {@link
 * SealedPayload}, which adds the number of the process that sealed it. The {@link Outbox} of a link packs headers and
 * bodies into frames with a {@link FrameWriter}, splits a payload that does not fit, and offers each frame to the link.
 * At the other end, the {@link Inbox} opens the frame (with a {@link HeaderSeal}, once the handshake is over) and
 * checks each length. It joins split payloads with a {@link PayloadJoiner} if the {@link HeapShare} of its process has
 * room, and calls its consumer with a {@link Message}, a view that is valid only during the call.
 *
 * <p>Values of both ends: {@link ProcessPath} and {@link ProcessAddress} identify a process, {@link Bootstrap} is what
 * a worker is started with, {@link WorkerRole} is its purpose, {@link Protocol} has the version and the limits that
 * both must share, {@link ExitCode} is how a worker ends, {@link ResultMark} takes the place of a result, and {@link
 * RefusedLookupException} that of an answer.
 */
@NullMarked
package io.fiber.runtime.protocol;

import org.jspecify.annotations.NullMarked;
