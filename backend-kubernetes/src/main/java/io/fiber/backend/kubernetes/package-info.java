// SPDX-License-Identifier: Apache-2.0
/**
 * The backend {@code kubernetes}: a job is a pod.
 *
 * <p>{@link io.fiber.backend.kubernetes.KubernetesBackendProvider} is the way in. {@code ClusterAddress} finds the cluster,
 * {@code Cluster} talks to its API server and turns its words into the exceptions of the contract, {@code Rights} asks
 * whether everything is allowed, {@code AccountSetup} makes the account of programs in pods, {@code OwnPod} is the pod
 * that the program itself runs in. {@code KubernetesBackend} takes submissions: {@code KubernetesOptions} is what the user
 * has said, {@code PodPlan} what a spec means, {@code PodRendering} and {@code Volumes} lay it over the user's
 * {@code Template}, {@code Launcher} makes secret and pods, {@code Parking} holds those that a quota has no room for.
 * {@code ClassPathServer} hands the class path out, {@code boot.Fetch} takes it in the pod. {@code KubernetesJob} is one pod
 * from before it is made to its last event, {@code PodReading} what its status means, {@code JobText} what it writes.
 * {@code Watch} is the one watch of all pods of a session, {@code Remains} what removes the rest when the program is gone.
 * What other backends need as well is in {@code io.fiber.backend.support}.
 *
 * <p>Threads: one of the backend, which tells the listeners, keeps time and never waits for the API server; a few that talk
 * to it while there is something to say; those of the client, which carry the watch and the logs that are followed; and
 * those that serve the class path while it is fetched.
 */
@NullMarked
package io.fiber.backend.kubernetes;

import org.jspecify.annotations.NullMarked;
