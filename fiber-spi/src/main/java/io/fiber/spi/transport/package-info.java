// SPDX-License-Identifier: Apache-2.0
/**
 * The contract of a transport: it carries frames, in order and without loss or duplicate, between a process that
 * invites and processes that dial; a process may do both.
 *
 * <p>A {@link io.fiber.spi.transport.TransportProvider} creates a {@link io.fiber.spi.transport.Transport}. The master
 * calls {@link io.fiber.spi.transport.Transport#invite}, hands the link's {@link io.fiber.spi.transport.Address} to a
 * job, and the job calls {@link io.fiber.spi.transport.Transport#dial}: both ends then hold a {@link
 * io.fiber.spi.transport.Link}. A transport neither authenticates nor encrypts: its user does both, unless the link is
 * {@linkplain io.fiber.spi.transport.Link#isConfined confined}.
 *
 * <p>Everything is non-blocking and driven by one thread that calls {@link io.fiber.spi.transport.Transport#doWork}. The
 * clauses are numbered in {@code docs/transport-contract.md} ({@code TRN-nnn}).
 */
@NullMarked
package io.fiber.spi.transport;

import org.jspecify.annotations.NullMarked;
