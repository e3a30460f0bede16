// SPDX-License-Identifier: Apache-2.0
/**
 * The contract of transports, which carry frames between a process that invites and processes that dial, in order and
 * without loss or duplicates. A process may do both.
 *
 * <p>A {@link io.fiber.spi.transport.TransportProvider} creates a {@link io.fiber.spi.transport.Transport}. The master
 * calls {@link io.fiber.spi.transport.Transport#invite} and passes the link's {@link io.fiber.spi.transport.Address} to
 * a job. The job calls {@link io.fiber.spi.transport.Transport#dial}. Both ends then have a {@link
 * io.fiber.spi.transport.Link}. A transport neither authenticates nor encrypts. Its user does both, unless the link is
 * {@linkplain io.fiber.spi.transport.Link#isConfined confined}.
 *
 * <p>Nothing blocks, and one thread drives everything by calling {@link io.fiber.spi.transport.Transport#doWork}.
 * {@code docs/transport-contract.md} numbers the clauses ({@code TRN-nnn}).
 */
@NullMarked
package io.fiber.spi.transport;

import org.jspecify.annotations.NullMarked;
