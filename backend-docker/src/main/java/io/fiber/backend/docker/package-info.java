// SPDX-License-Identifier: Apache-2.0
/**
 * The backend {@code docker}: a job is a container.
 *
 * <p>{@link io.fiber.backend.docker.DockerBackendProvider} is the way in. {@code DaemonAddress} finds the daemon, {@code
 * Engine} talks to it and turns its words into the exceptions of the contract. {@code DockerBackend} takes submissions:
 * {@code DockerOptions} is what the user has said, {@code ContainerPlan} renders a spec or refuses it, {@code Images} sees
 * to the image, {@code ClassPathVolume} brings the class path there, {@code KeptClassPaths} keeps it for later sessions.
 * {@code DockerJob} is one container from its start to its last event, {@code JobText} what it writes, {@code LogFollower} and {@code LogPosition} how that is followed over outages, {@code LogDamage} what is said of a log that
 * Docker cannot read.
 * {@code Watch} is the one stream of events for all jobs of a session, {@code Remains} what removes the rest when the
 * program is gone. What other backends need as well is in {@code io.fiber.backend.support}.
 *
 * <p>Threads: one of the backend, which tells the listeners, keeps time and never waits for Docker; at most four that talk to
 * Docker while there is something to say; one of docker-java for the stream of events, and one for each job whose output
 * goes to the console or to a file.
 */
@NullMarked
package io.fiber.backend.docker;

import org.jspecify.annotations.NullMarked;
