// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.doctor;

import io.fiber.FiberException;
import io.fiber.cli.run.BackendAccess;
import io.fiber.runtime.config.ConfigKey;
import io.fiber.runtime.config.ConfigSources;
import io.fiber.runtime.platform.UserDirectory;
import io.fiber.spi.CallerHost;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Capability;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Runs all checks in the order in which a program would run into the problems. Blocks. Not thread-safe. */
public final class Doctor {

    private final Questions questions;
    private final Consumer<Finding> findings;

    /** How far the doctor goes. */
    public enum Depth {
        /** Checks only this host. */
        HOST,
        /** Also opens the selected backend: logs in and contacts its API. */
        BACKEND,
        /** Also runs a small job on it. */
        JOB
    }

    /**
     * What to check.
     *
     * @param sources the sources of settings
     * @param loaders the class loaders that see the providers
     * @param missing entries of their class path that are not on this host
     * @param depth how far to go
     * @param image the image of the job; empty for the backend's own
     * @param jobLimit how long to wait for the job
     */
    public record Questions(
            ConfigSources sources,
            Collection<ClassLoader> loaders,
            List<String> missing,
            Depth depth,
            Optional<String> image,
            Duration jobLimit) {}

    /** Creates a doctor that passes each finding to {@code findings} at once. */
    public Doctor(Questions questions, Consumer<Finding> findings) {
        this.questions = questions;
        this.findings = findings;
    }

    /** Runs the checks. */
    public void run() throws InterruptedException {
        findings.accept(HostChecks.java());
        findings.accept(HostChecks.temporaryDirectory());
        lookForMissing();
        Optional<ProviderChecks.Choice> choice =
                new ProviderChecks(questions.loaders(), findings).run(questions.sources());
        if (choice.isPresent() && questions.depth() != Depth.HOST) {
            open(choice.get());
        }
    }

    private void lookForMissing() {
        if (!questions.missing().isEmpty()) {
            String names =
                    questions.missing().stream().map(entry -> "'" + entry + "'").collect(Collectors.joining(", "));
            findings.accept(Finding.note(
                    "class path",
                    "there is no " + names + "; java silently ignores missing entries",
                    "correct --class-path"));
        }
    }

    private void open(ProviderChecks.Choice choice) throws InterruptedException {
        BackendProvider provider = choice.backend().provider();
        String subject = "backend " + provider.name();
        try (BackendAccess access = BackendAccess.open(provider, choice.config().optionsOf(provider))) {
            CallerHost host = access.backend().callerHost();
            findings.accept(Finding.ok(
                    subject,
                    "opened; jobs "
                            + (host.reach() == CallerHost.Reach.SAME_HOST
                                    ? "run beside this process"
                                    : "dial this process at " + host.advertised())
                            + "; offers " + new TreeSet<>(provider.capabilities())));
            if (questions.depth() == Depth.JOB) {
                runJob(access, choice);
            }
        } catch (FiberException e) {
            findings.accept(Finding.thrown(subject, e));
        } catch (BackendException e) {
            findings.accept(Finding.thrown(subject, e));
        }
    }

    private void runJob(BackendAccess access, ProviderChecks.Choice choice) throws InterruptedException {
        if (!choice.backend().provider().capabilities().contains(Capability.LOGS)) {
            findings.accept(Finding.note(
                    JobCheck.SUBJECT,
                    "no job was run: this backend does not return the output of jobs",
                    "check whether a program runs: fiber run -- java -version"));
            return;
        }
        try {
            Dialled dialled = Dialled.of(access.backend().callerHost(), choice.config(), choice.transport());
            JobCheck.Terms terms = new JobCheck.Terms(
                    questions.image(),
                    choice.config().text(ConfigKey.WORKER_JAVA),
                    UserDirectory.CACHE
                            .findOrMake(Environment.system())
                            .resolve("fiber")
                            .resolve("doctor-" + access.sessionId()),
                    questions.jobLimit());
            new JobCheck(access, dialled, terms, JobCheck.program()).run(findings);
        } catch (IOException e) {
            findings.accept(Finding.fault(
                    JobCheck.SUBJECT, "FBR-544", "The addresses of this process: " + e, "correct bind-address"));
        }
    }
}
