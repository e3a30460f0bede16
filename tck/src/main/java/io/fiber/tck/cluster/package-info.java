// SPDX-License-Identifier: Apache-2.0
/**
 * What an author needs whose backend is tested on a real cluster. Tests run where the cluster can be reached, as another user,
 * in a name space or in one of its pods: {@link io.fiber.tck.cluster.KitRun} runs them there and
 * {@link io.fiber.tck.cluster.KitResult} tells the build what became of each. {@link io.fiber.tck.cluster.Gate} is a way to
 * the cluster that can be shut, {@link io.fiber.tck.cluster.JobRecord} what jobs of a backend have told,
 * {@link io.fiber.tck.cluster.KitContext} the session around it.
 */
@NullMarked
package io.fiber.tck.cluster;

import org.jspecify.annotations.NullMarked;
