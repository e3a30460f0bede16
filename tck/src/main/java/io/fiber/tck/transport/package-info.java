// SPDX-License-Identifier: Apache-2.0
/**
 * The contract of transports: {@link io.fiber.tck.transport.TransportTck} and its groups of clauses.
 *
 * <p>A clause asks {@link io.fiber.tck.transport.TransportFixture} for two transports, connects them, and compares what
 * a {@code FrameSink} received with what a {@code FrameSource} sent. Clauses about the end of a peer run it in a JVM of
 * its own ({@code PeerProcess}).
 */
@NullMarked
package io.fiber.tck.transport;

import org.jspecify.annotations.NullMarked;
