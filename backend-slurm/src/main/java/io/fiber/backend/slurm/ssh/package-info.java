// SPDX-License-Identifier: Apache-2.0
/**
 * The login node of a cluster over SSH. {@code SshHost} runs scripts there. {@code Way} is the seam below it, with two
 * implementations: {@code JschWay}, made of the library jsch, and {@code ProgramWay}, which starts the program {@code ssh}.
 *
 * <p>{@code SshOptions} is what the user said. {@code SshConfig} is what the configuration of SSH says of a host, and which
 * directive only the program can follow; {@code SshConfigFile} reads it where the program cannot be asked. {@code JschSession}
 * opens a session. {@code RemoteLine} is a line that any shell takes. {@code SshReaper} runs commands after the end of this
 * process. {@code SshFailures} has the words.
 */
@NullMarked
package io.fiber.backend.slurm.ssh;

import org.jspecify.annotations.NullMarked;
