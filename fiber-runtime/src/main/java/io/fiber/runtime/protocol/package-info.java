// SPDX-License-Identifier: Apache-2.0
/**
 * Bytes between processes: payloads, messages, frames, and the values that both ends must name alike.
 *
 * <p>Row 1; it uses nothing of the runtime but the codecs that SBE generates into {@code
 * io.fiber.runtime.protocol.codec} from {@code src/main/sbe/fiber-codecs.xml}. That file has the conversation on top:
 * which message may follow which.
 *
 * <p>The way of a message: the sender makes an {@link Outgoing}, by {@link Messages} or, for frequent messages, by the
 * class that the message is about; it writes its header with the thread's {@link Encoders}. Objects travel as a {@link
 * Payload}, which {@link PayloadOutput} collects and {@link PayloadInput} reads, inside a {@link SealedPayload}, which
 * adds the number of the process that sealed it. The {@link Outbox} of a link packs headers and bodies into frames by a
 * {@link FrameWriter}, cuts a payload that does not fit, and offers each frame to the link. At the other end the {@link
 * Inbox} opens the frame (by a {@link HeaderSeal}, once the handshake is over), checks each length, joins cut
 * payloads by a {@link PayloadJoiner} as far as the {@link HeapShare} of its process has room, and calls its consumer
 * with a {@link Message}, a view that is valid during the call only.
 *
 * <p>Values of both ends: {@link ProcessPath} and {@link ProcessAddress} name a process, {@link Bootstrap} is what a
 * worker is started with, {@link WorkerRole} what it is for, {@link Protocol} which version and limits both must share,
 * {@link ExitCode} how it ends, {@link ResultMark} what stands in place of a result.
 */
@NullMarked
package io.fiber.runtime.protocol;

import org.jspecify.annotations.NullMarked;
