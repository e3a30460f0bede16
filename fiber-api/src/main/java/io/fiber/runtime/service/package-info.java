// SPDX-License-Identifier: Apache-2.0
/**
 * Objects that live in one process and are called by others of the same program, wherever in its tree they stand.
 * {@link io.fiber.runtime.service.Switchboard} is one process's exchange: it hosts
 * {@link io.fiber.runtime.service.Hosted} objects, calls those of other processes by their
 * {@link io.fiber.runtime.service.ObjectAddress}, and passes on what others say to each other.
 * {@link io.fiber.runtime.service.Here} binds handles to the process that reads them.
 * {@link io.fiber.runtime.process.WorkerLines} connects it with the workers of a session.
 */
@NullMarked
package io.fiber.runtime.service;

import org.jspecify.annotations.NullMarked;
