// SPDX-License-Identifier: Apache-2.0
/**
 * Tools for testing a backend on a real cluster. Tests run where the cluster can be reached: as another user, in a
 * namespace or in a pod. {@link io.fiber.tck.cluster.KitRun} runs them there, and {@link io.fiber.tck.cluster.KitJvm}
 * reports their results to the build. {@link io.fiber.tck.cluster.Gate} is a connection to the cluster that can be
 * shut, {@link io.fiber.tck.cluster.BackendSession} a backend with a session around it, and {@link
 * io.fiber.tck.cluster.JobRecord} has the events of its jobs.
 */
@NullMarked
package io.fiber.tck.cluster;

import org.jspecify.annotations.NullMarked;
