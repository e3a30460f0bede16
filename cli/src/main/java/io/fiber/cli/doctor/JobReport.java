// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.doctor;

import io.fiber.spi.CallerHost.Reach;
import io.fiber.spi.backend.JobTermination;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Evaluates what the job has reported from its host, or why it has reported nothing. */
final class JobReport {

    private static final Pattern TOO_OLD =
            Pattern.compile("UnsupportedClassVersionError.*class file version (\\d+).*up to (\\d+)", Pattern.DOTALL);

    /** A class file of Java n has the version n + 44. */
    private static final int CLASS_VERSION_BASE = 44;

    private static final int LEAST_SHARED_MIB = 8;
    private static final long CLOCK_LIMIT_MS = 1_000;
    private static final int LAST_LINES = 5;

    private final List<String> lines;
    private final JobTermination end;
    private final Dialled dialled;
    private final Map<String, String> said = new HashMap<>();

    JobReport(List<String> lines, JobTermination end, Dialled dialled) {
        this.lines = lines;
        this.end = end;
        this.dialled = dialled;
        for (String line : lines) {
            int at = line.indexOf(ProbeJob.MARK);
            int equals = line.indexOf('=');
            if (at >= 0 && equals > at) {
                said.put(line.substring(at + ProbeJob.MARK.length(), equals), line.substring(equals + 1));
            }
        }
    }

    void tell(Consumer<Finding> findings) {
        if (!said.containsKey("end")) {
            findings.accept(whyItDidNotRun());
            return;
        }
        findings.accept(Finding.ok(
                JobCheck.SUBJECT,
                "ran" + asUser() + " with Java " + said.get("java") + " in " + said.get("home") + ", "
                        + HostChecks.processors(said.getOrDefault("processors", "?")) + ", heap up to "
                        + said.get("heap-mib") + " MiB"));
        if (dialled.way() == Dialled.Way.UDP) {
            findings.accept(sharedMemory());
        }
        if (!Boolean.parseBoolean(said.get("tmp-writable"))) {
            findings.accept(Finding.fault(
                    "job's files",
                    "FBR-541",
                    "Where the job runs, the directory for temporary files cannot be written",
                    "name another one with fiber.worker.jvm-options=-Djava.io.tmpdir=..."));
        }
        if (dialled.way() == Dialled.Way.UDP) {
            findings.accept(way(Dialled.Way.UDP, "udp"));
        }
        findings.accept(way(Dialled.Way.TCP, "tcp"));
        if (said.containsKey("clock-ahead-ms")) {
            findings.accept(clock(Long.parseLong(said.getOrDefault("clock-ahead-ms", "0"))));
        }
    }

    /** A user without a name, as in a container, is "?" for Java. */
    private String asUser() {
        String user = said.getOrDefault("user", "?");
        return user.equals("?") ? "" : " as user " + user;
    }

    private Finding whyItDidNotRun() {
        String text = String.join("\n", lines);
        Matcher old = TOO_OLD.matcher(text);
        if (old.find()) {
            int needed = Integer.parseInt(old.group(1)) - CLASS_VERSION_BASE;
            int there = Integer.parseInt(old.group(2)) - CLASS_VERSION_BASE;
            return Finding.fault(
                    "job's java",
                    "FBR-545",
                    "Where jobs run, 'java' is version " + there + "; the program's classes need " + needed,
                    "name an image, or a path with fiber.worker.java, that has Java " + needed + " or later");
        }
        String last =
                lines.stream().skip(Math.max(0, lines.size() - LAST_LINES)).collect(Collectors.joining(" | "));
        String how = "The job did not finish: " + end.describe();
        return end.code()
                .map(code -> Finding.explained(JobCheck.SUBJECT, code, how))
                .orElseGet(() -> Finding.fault(
                        JobCheck.SUBJECT,
                        "FBR-546",
                        how + (last.isEmpty() ? "" : "; its last lines: " + last),
                        "check whether Java itself runs there: fiber run -- java -version"));
    }

    private Finding sharedMemory() {
        long free = Long.parseLong(said.getOrDefault("shm-mib", "-1"));
        String subject = "job's memory";
        if (free < 0) {
            return Finding.note(subject, "the job has no /dev/shm", "give the container one: --shm-size=64m");
        }
        if (free < LEAST_SHARED_MIB || !Boolean.parseBoolean(said.get("shm-writable"))) {
            return Finding.fault(
                    subject,
                    "FBR-540",
                    "Where the job runs, /dev/shm has " + free + " MiB free"
                            + (Boolean.parseBoolean(said.get("shm-writable")) ? "" : " and cannot be written"),
                    "make it larger: fiber.docker.shm-size=64m on the backend docker, elsewhere that of the node");
        }
        return Finding.ok(subject, free + " MiB free in the job's /dev/shm");
    }

    private Finding way(Dialled.Way way, String subject) {
        String answer = said.getOrDefault(subject, "was not tried");
        if (answer.equals("answered")) {
            return Finding.ok(subject, "the job reaches this process at " + dialled.host() + timed(way));
        }
        String text = "The job called this process (" + dialled + ") by " + way + ": " + answer;
        String fix =
                "let " + way + " pass from the jobs' hosts to this one: at any port, or at those of the transport's"
                        + " port-range; or set fiber.advertised-address to an address that jobs can reach";
        if (dialled.reach() == Reach.SAME_HOST) {
            return Finding.note(
                    subject,
                    "FBR-547",
                    text + "; this does not matter here, because on this backend messages do not"
                            + " pass through the network",
                    fix);
        }
        if (dialled.way() != way) {
            return Finding.note(
                    subject,
                    "FBR-547",
                    text + "; this does not matter here, because the chosen transport does not" + " need it",
                    fix);
        }
        boolean isTcpOpen = way == Dialled.Way.UDP && "answered".equals(said.get("tcp"));
        return Finding.fault(
                subject,
                "FBR-547",
                text,
                isTcpOpen ? "set fiber.transport=socket, because TCP gets through; or " + fix : fix);
    }

    private String timed(Dialled.Way way) {
        return way == Dialled.Way.UDP ? " in " + said.get("round-trip-ms") + " ms" : "";
    }

    private static Finding clock(long aheadMs) {
        return Math.abs(aheadMs) > CLOCK_LIMIT_MS
                ? Finding.note(
                        "clock",
                        "the job's clock is " + aheadMs
                                + " ms ahead of this host's; Fiber needs no common clock, but the times in logs will"
                                + " differ",
                        "run an NTP client on both hosts")
                : Finding.ok("clock", "the job's clock and this host's are " + Math.abs(aheadMs) + " ms apart");
    }
}
