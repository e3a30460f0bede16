// SPDX-License-Identifier: Apache-2.0
/**
 * What an author needs whose backend is tested on a real cluster. Tests run where the cluster can be reached, as another user,
 * in a name space or in one of its pods: {@link io.fiber.tck.cluster.KitRun} runs them there and
 * {@link io.fiber.tck.cluster.KitJvm} tells the build what became of each. {@link io.fiber.tck.cluster.Gate} is a way to the
 * cluster that can be shut, {@link io.fiber.tck.cluster.BackendSession} a backend with a session around it,
 * {@link io.fiber.tck.cluster.JobRecord} what its jobs have told.
 */
@NullMarked
package io.fiber.tck.cluster;

import org.jspecify.annotations.NullMarked;
