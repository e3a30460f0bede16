// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.doctor;

import io.fiber.FiberException;
import io.fiber.cli.BackendDoor;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.CallerHost;
import io.fiber.spi.backend.Capability;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Goes through all checks in the order in which a program meets them. Belongs to one thread; blocks. */
public final class Doctor {

    private final Questions questions;
    private final Consumer<Finding> findings;

    /** How far the doctor goes. */
    public enum Depth {
        /** Looks at this host only. */
        HOST,
        /** Opens the selected backend, too: logs in, asks its API. */
        BACKEND,
        /** Runs a small job on it, too. */
        JOB
    }

    /**
     * What is to be found out.
     *
     * @param settings what is set beside properties, variables and file
     * @param loaders who sees the providers
     * @param depth how far to go
     * @param image the image of the job; empty for the backend's own
     * @param jobLimit how long the job is waited for
     */
    public record Questions(
            Map<String, String> settings,
            Collection<ClassLoader> loaders,
            Depth depth,
            Optional<String> image,
            Duration jobLimit) {}

    /** Creates a doctor that tells {@code findings} what it finds, at once. */
    public Doctor(Questions questions, Consumer<Finding> findings) {
        this.questions = questions;
        this.findings = findings;
    }

    /** Goes through the checks. */
    public void run() throws InterruptedException {
        findings.accept(HostChecks.java());
        findings.accept(HostChecks.temporaryDirectory());
        findings.accept(HostChecks.sharedMemory(HostChecks.SHARED_MEMORY));
        HostChecks.udpBuffers().forEach(findings);
        Optional<ProviderChecks.Choice> choice =
                new ProviderChecks(questions.loaders(), findings).run(questions.settings());
        if (choice.isPresent() && questions.depth() != Depth.HOST) {
            open(choice.get());
        }
    }

    private void open(ProviderChecks.Choice choice) throws InterruptedException {
        BackendProvider provider = choice.backend().provider();
        String subject = "backend " + provider.name();
        try (BackendDoor door = BackendDoor.open(provider, choice.config())) {
            CallerHost host = door.backend().callerHost();
            findings.accept(Finding.ok(
                    subject,
                    "opened; jobs "
                            + (host.reach() == CallerHost.Reach.SAME_HOST
                                    ? "run beside this process"
                                    : "dial this process at " + host.advertised())
                            + "; offers " + new TreeSet<>(provider.capabilities())));
            if (questions.depth() == Depth.JOB) {
                runJob(door, choice);
            }
        } catch (FiberException | BackendException e) {
            findings.accept(Finding.thrown(subject, e));
        }
    }

    private void runJob(BackendDoor door, ProviderChecks.Choice choice) throws InterruptedException {
        if (!choice.backend().provider().capabilities().contains(Capability.LOGS)) {
            findings.accept(Finding.note(
                    JobCheck.SUBJECT,
                    "none was run: this backend does not give back what jobs print",
                    "see whether a program runs: fiber run -- java -version"));
            return;
        }
        try {
            Dialled dialled = Dialled.of(door.backend().callerHost(), choice.config(), choice.transportOptions());
            JobCheck.Terms terms = new JobCheck.Terms(questions.image(), questions.jobLimit());
            new JobCheck(door, dialled, terms, JobCheck.program()).run(findings);
        } catch (IOException e) {
            findings.accept(Finding.fault(
                    JobCheck.SUBJECT, "FBR-544 The addresses of this process: " + e, "correct bind-address"));
        }
    }
}
