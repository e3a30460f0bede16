// SPDX-License-Identifier: Apache-2.0
/**
 * The backend {@code docker}, whose jobs are containers.
 *
 * <p>{@link io.fiber.backend.docker.DockerBackendProvider} is the entry point. {@code DaemonAddress} finds the daemon,
 * and {@code Engine} communicates with it and converts its errors to the exceptions of the contract.
 *
 * <p>{@code DockerBackend} receives submissions. {@code DockerOptions} has the user's options, {@code ContainerPlan}
 * converts a spec or rejects it, and {@code Images} makes the image available. {@code ClassPathVolume} sends the class
 * path, and {@code KeptClassPaths} keeps it for later sessions.
 *
 * <p>{@code DockerJob} is one container from its start to its last event, and {@code JobText} is its output. {@code
 * LogFollower} follows it over outages with {@code LineTrail} and {@code LogPosition}, and {@code LogDamage} reports a
 * log that Docker cannot read. {@code Watch} is the single stream of events for all jobs of a session. {@code Remains} removes the rest if the
 * program is gone. Parts that other backends need as well are in {@code io.fiber.backend.support}.
 *
 * <p>Threads: the backend has one that calls the listeners, keeps time and never waits for Docker. Up to four
 * communicate with Docker while there is something to send. docker-java has one for the stream of events, and one for
 * each job whose output goes to the console or to a file.
 */
@NullMarked
package io.fiber.backend.docker;

import org.jspecify.annotations.NullMarked;
