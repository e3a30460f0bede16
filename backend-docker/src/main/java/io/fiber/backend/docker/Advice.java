// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import io.fiber.backend.support.ExitCodes;
import io.fiber.spec.EndCause;
import io.fiber.spi.backend.JobTermination;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Advice on the most common errors of Docker and of containers that do not start. */
final class Advice {

    private static final int NOT_EXECUTABLE = 126;
    private static final int NOT_FOUND = 127;

    /** The beginning of what Docker's init process says. */
    private static final String INIT = "[FATAL tini";

    private static final List<String> START_FAILURES = List.of("No such file", "not found", "ermission denied");

    private static final List<Map.Entry<String, String>> COMPLAINTS = List.of(
            Map.entry(
                    "could not select device driver",
                    "Docker has no driver for GPUs: install the NVIDIA Container Toolkit on its host, or ask for no GPU."),
            Map.entry("range of cpus", "Ask for fewer cpus: Docker's host has no more."),
            Map.entry("minimum memory", "Ask for more memory."),
            Map.entry("invalid mount", "Correct the volume: its directory must be on Docker's host."),
            Map.entry("bind source path", "Correct the volume: its directory must be on Docker's host."),
            Map.entry("user", "Correct fiber.docker.user: expected uid:gid."),
            Map.entry("network", "Correct fiber.docker.network; 'docker network ls' lists the networks."),
            Map.entry("docker-init", "Install Docker's init (Debian: tini) on Docker's host."),
            Map.entry("no space left", "Free some space on Docker's host: 'docker system df' shows what takes it."));

    private Advice() {}

    /** Returns the advice on an error; if the error is about memory, with the parts of the container's memory. */
    static String on(String complaint, ContainerPlan plan) {
        String lower = complaint.toLowerCase(Locale.ROOT);
        String advice = COMPLAINTS.stream()
                .filter(entry -> lower.contains(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("Correct what it names: an option of fiber.docker.*, or what the process asks for.");
        return advice
                + plan.limitWords()
                        .filter(words -> lower.contains("memory"))
                        .map(words -> " The container's limit is " + words + ".")
                        .orElse("");
    }

    /** Returns why a container could not be started. */
    static String onStart(String words, ContainerPlan plan, Optional<Images.Mismatch> mismatch) {
        if (words.contains("executable file not found") || words.contains("no such file or directory")) {
            return missingProgram(plan, words, mismatch);
        }
        return "FBR-166 Docker could not start the container: " + words + ". " + on(words, plan);
    }

    /** Returns the line by which the container's init process says that it could not start the program. */
    static Optional<String> startFailure(int exitCode, ContainerPlan plan, List<String> lines) {
        String program = plan.program().executable();
        boolean isOfAShell = exitCode == NOT_FOUND || exitCode == NOT_EXECUTABLE;
        return lines.stream()
                .filter(line -> line.contains(program)
                        && ((isOfAShell && START_FAILURES.stream().anyMatch(line::contains))
                                || (line.startsWith(INIT) && line.endsWith("Exec format error"))))
                .findFirst();
    }

    /** Returns the termination of a program that ended by itself. */
    static JobTermination onExit(
            int exitCode, ContainerPlan plan, List<String> lines, Optional<Images.Mismatch> mismatch) {
        return startFailure(exitCode, plan, lines)
                .map(line -> JobTermination.failed(
                        EndCause.START_FAILED, OptionalInt.of(exitCode), missingProgram(plan, line, mismatch)))
                .orElseGet(() -> ExitCodes.termination(exitCode));
    }

    /** Returns the message for a program that exceeded the memory of its container. */
    static String onMemory(ContainerPlan plan) {
        return "the container used more than its limit"
                + plan.limitWords().map(words -> " of " + words).orElse("")
                + "; ask for more memory, or set fiber.docker.memory";
    }

    private static String missingProgram(ContainerPlan plan, String words, Optional<Images.Mismatch> mismatch) {
        String image = "'" + plan.image() + "' (" + plan.imageOrigin() + ")";
        return "FBR-163 "
                + mismatch.map(each -> "The image " + image + " is for " + each.image() + ", but Docker's host is "
                                + each.host() + ": " + words.strip() + ". Expected an image for " + each.host()
                                + "; if the registry has one, 'docker pull --platform linux/" + each.host() + " "
                                + plan.image() + "' on Docker's host fetches it.")
                        .orElseGet(() -> plan.program().missingIn(image, words.strip()));
    }
}
