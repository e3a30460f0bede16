// SPDX-License-Identifier: Apache-2.0
/**
 * Objects that live in one process and are called by others of the same program, wherever in its tree they stand.
 * {@link io.fiber.runtime.rpc.RpcRouter} is one process's exchange: it hosts
 * {@link io.fiber.runtime.rpc.Hosted} objects, calls those of other processes by their
 * {@link io.fiber.runtime.rpc.ObjectAddress}, and passes on what others say to each other.
 * {@link io.fiber.runtime.rpc.ProcessContext} binds handles to the process that reads them.
 * {@link io.fiber.runtime.process.WorkerRoutes} connects it with the workers of a session.
 */
@NullMarked
package io.fiber.runtime.rpc;

import org.jspecify.annotations.NullMarked;
