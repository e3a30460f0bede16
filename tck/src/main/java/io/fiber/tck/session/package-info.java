// SPDX-License-Identifier: Apache-2.0
/**
 * What sessions promise on a backend: {@link io.fiber.tck.session.QueueTck}, {@link io.fiber.tck.session.PipeTck}, {@link
 * io.fiber.tck.session.ManagerTck} and {@link io.fiber.tck.session.RingTck}, which {@link io.fiber.tck.session.ObjectsTck}
 * combines; {@link io.fiber.tck.session.ContainerPoolTck} and {@link io.fiber.tck.session.WorkerKillersTck} for pools.
 */
@NullMarked
package io.fiber.tck.session;

import org.jspecify.annotations.NullMarked;
