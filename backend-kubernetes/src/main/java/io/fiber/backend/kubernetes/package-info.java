// SPDX-License-Identifier: Apache-2.0
/**
 * The backend {@code kubernetes}, whose jobs are pods.
 *
 * <p>{@link io.fiber.backend.kubernetes.KubernetesBackendProvider} is the entry point. {@code ClusterAddress} finds the
 * cluster. {@code Cluster} communicates with its API server and converts its errors to the exceptions of the contract.
 * {@code Rights} checks whether everything is allowed, {@code AccountSetup} creates the account of programs in pods,
 * and {@code OwnPod} is the pod in which the program itself runs.
 *
 * <p>{@code KubernetesBackend} receives submissions. {@code KubernetesOptions} has the user's options, and {@code
 * PodPlan} interprets a spec. {@code PodRendering} and {@code Volumes} apply it to the user's {@code Template}. {@code
 * Launcher} creates secret and pods, and {@code Parking} holds those that exceed a quota. {@code ClassPathServer}
 * serves the class path, which {@code boot.Fetch} fetches in the pod.
 *
 * <p>{@code KubernetesJob} is one pod from before its creation to its last event, {@code PodReading} interprets its
 * status, and {@code JobText} is its output. {@code Watch} is the single watch of all pods of a session. {@code
 * Remains} removes the rest if the program is gone. Parts that other backends need as well are in {@code
 * io.fiber.backend.support}.
 *
 * <p>Threads: the backend has one that calls the listeners, keeps time and never waits for the API server. A few
 * communicate with the server while there is something to send. The client has threads for the watch and for the logs
 * that are followed. Others serve the class path while it is fetched.
 */
@NullMarked
package io.fiber.backend.kubernetes;

import org.jspecify.annotations.NullMarked;
