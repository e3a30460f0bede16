// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.backend.support.batch.Commands;
import io.fiber.backend.support.batch.LocalCommands;
import io.fiber.backend.support.batch.LocalFiles;
import io.fiber.backend.support.batch.SharedFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The host that Slurm is used from: this one, or a login node.
 *
 * @param commands runs Slurm's programs there
 * @param files reads and writes the shared directory there
 * @param home the user's own directory there
 * @param atDeath turns words to be run there into those that this host's reaper runs when this process is gone
 * @param later has words run there until they end well, for some minutes, also when this process has ended by then
 * @param srun starts steps, where this process may itself be in a job
 * @param remote what a login node needs beyond that; empty for this host
 */
record Login(
        Commands commands,
        SharedFiles files,
        Path home,
        UnaryOperator<List<String>> atDeath,
        Consumer<List<String>> later,
        Optional<Steps.Starter> srun,
        Optional<SshLogin> remote) {

    /** Returns this host. */
    static Login here(LocalCommands commands, Optional<Steps.Starter> srun) {
        return new Login(
                commands,
                new LocalFiles(),
                Path.of(System.getProperty("user.home")),
                UnaryOperator.identity(),
                commands::runLater,
                srun,
                Optional.empty());
    }
}
