// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.backend.support.FoundSessions;
import io.fiber.backend.support.SessionLabels;
import io.fiber.backend.support.SessionOwner;
import io.fiber.backend.support.batch.BatchHost;
import io.fiber.backend.support.batch.Commands.Command;
import io.fiber.backend.support.batch.SharedFolder;
import io.fiber.spi.backend.Leftover;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What sessions have left whose program is gone: folders in the shared directory, and jobs. Waits for Slurm. */
final class Remains {

    /** The name of the file with the number and the cluster of the job in which a session's program runs, if it is in one. */
    static final String JOB_FILE = "job";

    private static final Duration LIMIT = Duration.ofSeconds(20);

    /** Prints the session of each folder and whose it is. Where a run has a note, Slurm keeps it, and the program is gone. */
    private static final String FOLDERS = "for owner in \"$1\"/fiber-*/" + SharedFolder.OWNER + "; do"
            + " folder=${owner%/*}; [ -r \"$owner\" ] && [ ! -e \"$folder/" + DetachedNote.FILE + "\" ] || continue;"
            + " printf '%s|%s|%s\\n' \"${folder##*/fiber-}\" \"$(cat \"$folder/" + Remains.JOB_FILE
            + "\" 2>/dev/null)\""
            + " \"$(cat \"$owner\")\"; done";

    private static final Pattern FOLDER = Pattern.compile("(?m)^([^|\n]+)\\|([^|\n]*)\\|(.*)$");
    private static final Pattern JOB = Pattern.compile("\\d+ (\\w+) fiber-(\\w+)-\\d+");

    private final Slurm slurm;
    private final BatchHost host;

    Remains(Slurm slurm, BatchHost host) {
        this.slurm = slurm;
        this.host = host;
    }

    /**
     * Returns it. That a job waits does not say that its session lives: without the program it would wait on.
     *
     * @param sessionsOfRuns that Slurm keeps, of which nothing is returned
     */
    List<Leftover> ofOthers(Set<String> sessionsOfRuns) {
        FoundSessions found = new FoundSessions();
        Map<String, Map<String, String>> folders = folders();
        folders.keySet().removeAll(sessionsOfRuns);
        folders.values().forEach(labels -> found.add("folder", FoundSessions.Kind.OTHER, labels));
        List<String> jobs = slurm.jobsStatesAndNames();
        for (String line : jobs) {
            Matcher job = JOB.matcher(line);
            if (job.matches() && folders.containsKey(job.group(2))) {
                boolean waits = job.group(1).equals("PENDING");
                found.add(
                        "job",
                        waits ? FoundSessions.Kind.OTHER : FoundSessions.Kind.LIVE_JOB,
                        Map.of(SessionLabels.SESSION, job.group(2)));
            }
        }
        Set<String> alive = jobs.stream()
                .map(line -> line.strip().split(" ", 2)[0] + " " + slurm.clusterName())
                .collect(Collectors.toSet());
        Set<String> gone = folders.values().stream()
                .filter(labels -> isOfThisCluster(labels.getOrDefault(JOB_FILE, "")))
                .filter(labels -> !alive.contains(labels.getOrDefault(JOB_FILE, "")))
                .flatMap(labels -> Optional.ofNullable(labels.get(SessionOwner.OWNER)).stream())
                .collect(Collectors.toSet());
        return found.leftovers(owner -> {
            SessionOwner.Life life = SessionOwner.life(owner);
            return life == SessionOwner.Life.UNKNOWN && gone.contains(owner) ? SessionOwner.Life.GONE : life;
        });
    }

    private boolean isOfThisCluster(String job) {
        return job.endsWith(" " + slurm.clusterName());
    }

    /** Returns the labels of each session that has a folder. */
    private Map<String, Map<String, String>> folders() {
        Map<String, Map<String, String>> folders = new TreeMap<>();
        FOLDER.matcher(host.commands()
                        .run(Command.of(
                                LIMIT,
                                List.of(
                                        "/bin/sh",
                                        "-c",
                                        FOLDERS,
                                        "fiber-folders",
                                        host.directory().toString())))
                        .output())
                .results()
                .forEach(folder -> {
                    Map<String, String> labels = DetachedQueue.labels(folder.group(3));
                    labels.put(JOB_FILE, folder.group(2));
                    labels.put(SessionLabels.SESSION, folder.group(1));
                    folders.put(folder.group(1), labels);
                });
        return folders;
    }
}
