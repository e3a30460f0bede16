// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.backend.support.DetachedRuns;
import io.fiber.backend.support.ExitCodes;
import io.fiber.backend.support.SessionLabels;
import io.fiber.backend.support.batch.BatchHost;
import io.fiber.backend.support.batch.BatchState;
import io.fiber.backend.support.batch.Commands;
import io.fiber.backend.support.batch.Scheduler;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.DetachedJob;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Jobs that Slurm keeps without the program that submitted them. Those that Slurm knows are found by their comment; those that
 * it has forgotten by a note in their session's folder, where the shared directory is the same. Thread-safe; waits for Slurm.
 */
final class DetachedQueue extends DetachedRuns {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final long AGAIN_MS = 1_000;
    private static final int PIECE_BYTES = 1 << 20;
    private static final String OUTPUT = "0.out";
    private static final String CANCELLED = "0.cancelled";

    /** Prints each note, and behind it what the job's script has written at its end and at each start. */
    private static final String NOTES =
            "for note in \"$1\"/fiber-*/" + DetachedNote.FILE + "; do [ -f \"$note\" ] || continue;"
                    + " start=\"${note%/*}/job-0/0.start\" n=0; while [ -e \"$start.$((n + 1))\" ]; do n=$((n + 1)); done;"
                    + " printf '%s|%s|%s|%s\\n' \"$(cat \"$note\")\" \"$(cat \"${note%/*}/news/0-0-ended\" 2>/dev/null)\""
                    + " \"$n\" \"$(cat \"$start.$n\" 2>/dev/null)\"; done";

    /** Prints those of its arguments that are not there, though the shared directory is. */
    private static final String REMOVED =
            "for each; do [ -d \"$each\" ] || [ ! -d \"${each%/*/*}\" ] || printf '%s\\n' \"$each\"; done";

    private final Slurm slurm;
    private final BatchHost host;
    private final Map<String, Path> places = new ConcurrentHashMap<>();
    /** The ids of all jobs of a run that have not ended: a script that submits itself again is one beside the next. */
    private volatile Map<String, List<String>> open = Map.of();
    /** The clusters of runs that another one has than the one that is asked. */
    private final Map<String, String> elsewhere = new ConcurrentHashMap<>();

    DetachedQueue(Slurm slurm, BatchHost host, BooleanSupplier handOver) {
        super(handOver);
        this.slurm = slurm;
        this.host = host;
    }

    @Override
    public List<DetachedJob> all() {
        Map<String, DetachedNote> notes = notes();
        Map<String, DetachedJob> jobs = new LinkedHashMap<>();
        List<DetachedRow> rows = slurm.jobsOfThisUser().stream()
                .map(row -> row.labelledBy(notes.values()))
                .filter(DetachedRow::isRun)
                .toList();
        Set<String> removed = removed(rows);
        open = rows.stream()
                .filter(row -> !row.row().isEnded())
                .collect(Collectors.groupingBy(
                        DetachedRow::run, Collectors.mapping(row -> row.row().id(), Collectors.toList())));
        for (DetachedRow row : DetachedRow.lastOfEachRun(rows)) {
            Optional<DetachedNote> note = Optional.ofNullable(notes.remove(row.run()));
            if (removed.contains(row.directory().toString())) {
                continue;
            }
            places.put(row.run(), row.directory());
            jobs.put(row.run(), job(row, note));
        }
        String here = slurm.clusterName();
        notes.forEach((run, note) -> {
            places.put(run, note.directory());
            if (!note.cluster().equals(here) && (note.exitCode().isEmpty() || note.mayStartAgain())) {
                elsewhere.put(run, note.cluster());
                jobs.put(run, of(note, State.open("is on the cluster '" + note.cluster() + "'")));
            }
        });
        notes.keySet().removeAll(jobs.keySet());
        Map<String, QueueRow> past = slurm.past(
                notes.values().stream().map(DetachedNote::array).distinct().toList());
        notes.forEach((run, note) -> jobs.put(run, job(note, Optional.ofNullable(past.get(note.id())))));
        return List.copyOf(jobs.values());
    }

    private static DetachedJob of(DetachedNote note, State state) {
        return of(note.labels(), new Seen(note.id(), note.submitted(), note.restarts()), state);
    }

    /** Returns why it is not certain that a job has ended: of one that Slurm has forgotten only its script can say so. */
    static Optional<String> doubt(DetachedJob job) {
        return job.end()
                .filter(end -> end.state() == JobState.LOST)
                .map(end -> "Slurm knows the run's job no more, and it has left no exit code");
    }

    /** Returns the directories of jobs that have ended and were cleaned: Slurm knows these for some minutes more. */
    private Set<String> removed(List<DetachedRow> rows) {
        List<String> ended = rows.stream()
                .filter(row -> row.row().isEnded())
                .map(row -> row.directory().toString())
                .toList();
        if (ended.isEmpty()) {
            return Set.of();
        }
        List<String> words = new ArrayList<>(List.of("/bin/sh", "-c", REMOVED, "fiber-removed"));
        words.addAll(ended);
        return run(words).output().lines().collect(Collectors.toSet());
    }

    private Commands.Answer run(List<String> words) {
        return host.commands().run(Commands.Command.of(LIMIT, words));
    }

    private Map<String, DetachedNote> notes() {
        Map<String, DetachedNote> notes = new LinkedHashMap<>();
        run(List.of("/bin/sh", "-c", NOTES, "fiber-notes", host.directory().toString()))
                .output()
                .lines()
                .map(DetachedNote::parse)
                .flatMap(Optional::stream)
                .forEach(note -> notes.put(note.run(), note));
        return notes;
    }

    private static DetachedJob job(DetachedRow row, Optional<DetachedNote> note) {
        Optional<Integer> code = note.flatMap(DetachedNote::exitCode);
        BatchState state = row.row().meaning();
        // What the script has written is then of a start before.
        boolean mayStartAgain = note.filter(DetachedNote::mayStartAgain).isPresent();
        State shown;
        if (state instanceof BatchState.Ended ended) {
            shown = State.ended(code.map(ended::with).orElse(ended.termination()));
        } else if (code.isPresent() && !mayStartAgain) {
            shown = State.ended(ExitCodes.termination(code.get()));
        } else if (state instanceof BatchState.Running running) {
            shown = State.open("runs on " + running.host());
        } else if (state instanceof BatchState.Waiting waiting) {
            shown = State.open("waits" + (waiting.reason().isEmpty() ? "" : ": " + waiting.reason()));
        } else {
            shown = State.open(row.row().state().toLowerCase(Locale.ROOT));
        }
        // Slurm counts from the last requeue.
        Instant submitted = note.filter(known -> known.starts() > 0)
                .map(DetachedNote::submitted)
                .orElse(row.submitted());
        return of(
                row.labels(),
                new Seen(
                        row.row().id(),
                        submitted,
                        note.map(DetachedNote::restarts).orElse(0)),
                shown);
    }

    /** Returns a job that Slurm has forgotten. */
    private static DetachedJob job(DetachedNote note, Optional<QueueRow> past) {
        JobTermination end = note.exitCode()
                .map(ExitCodes::termination)
                .or(() -> past.map(QueueRow::meaning)
                        .filter(BatchState.Ended.class::isInstance)
                        .map(state -> ((BatchState.Ended) state).termination()))
                .orElseGet(() -> JobTermination.lost(
                        "Slurm knows the job no more, and its script has left no exit code: it was ended by force, or its"
                                + " node was lost"));
        return of(note, State.ended(end));
    }

    @Override
    public void copyLog(DetachedJob job, Until until, OutputStream to) throws IOException {
        Path file = place(job).resolve(OUTPUT);
        long from = 0;
        while (true) {
            // Asked before the copy, so that what was written last is not missed.
            Optional<DetachedJob> now = until == Until.NOW ? Optional.empty() : find(job);
            from = copy(job, file, from, to);
            if (now.isEmpty() || now.get().end().isPresent()) {
                return;
            }
            rest();
        }
    }

    /** Returns where the files of a job are. */
    private Path place(DetachedJob job) {
        if (!places.containsKey(job.run())) {
            all();
        }
        Path place = places.get(job.run());
        if (place == null) {
            throw noLog(job, "Slurm knows the job no more, and there is no note of it in '" + host.directory() + "'.");
        }
        return place;
    }

    private Optional<DetachedJob> find(DetachedJob job) {
        return all().stream().filter(each -> each.run().equals(job.run())).findFirst();
    }

    private long copy(DetachedJob job, Path file, long from, OutputStream to) throws IOException {
        long at = from;
        byte[] piece = host.files().read(file, at, PIECE_BYTES);
        if (at == 0 && piece.length == 0 && !isThere(file)) {
            throw noLog(
                    job,
                    "it is in the file '" + file + "', which is not there on "
                            + (host.files().isHere() ? "this host" : "the login node")
                            + ". A job that waits has none yet (now: " + job.state()
                            + "); else read it on a host that sees this directory, or name one by fiber.slurm.ssh-host.");
        }
        while (piece.length > 0) {
            to.write(piece);
            at += piece.length;
            piece = host.files().read(file, at, PIECE_BYTES);
        }
        to.flush();
        return at;
    }

    private boolean isThere(Path file) {
        return run(List.of("test", "-e", file.toString())).isGood();
    }

    private static void rest() {
        try {
            TimeUnit.MILLISECONDS.sleep(AGAIN_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BackendUnavailableException("Reading the output of a job was interrupted.", e);
        }
    }

    @Override
    public void end(DetachedJob job, Ending ending) {
        String cluster = elsewhere.get(job.run());
        if (cluster != null) {
            throw new BackendException("FBR-184 The run " + job.run() + " is on the Slurm cluster '" + cluster
                    + "' and cannot be ended from the cluster '" + slurm.clusterName()
                    + "'. Set fiber.slurm.cluster=" + cluster
                    + ", or run 'fiber kill' where 'scontrol show config' says"
                    + " ClusterName = " + cluster + ".");
        }
        keepFromStarting(job);
        List<String> ids = open.getOrDefault(job.run(), List.of(job.id()));
        // What waits is only taken back by the first of them.
        slurm.end(ids, Scheduler.Ending.ASKED);
        if (ending == Ending.FORCED) {
            slurm.end(ids, Scheduler.Ending.FORCED);
        }
    }

    /** Leaves the mark by which the script of a job knows that its run is over: it may be about to ask for another start. */
    private void keepFromStarting(DetachedJob job) {
        Path place = places.get(job.run());
        if (place == null) {
            return;
        }
        try {
            host.files().mark(List.of(place.resolve(CANCELLED)));
        } catch (IOException e) {
            System.getLogger(DetachedQueue.class.getName())
                    .log(
                            System.Logger.Level.DEBUG,
                            "The folder of run " + job.run() + " is not seen from here: only Slurm is told.",
                            e);
        }
    }

    /** Removes the folder of a session whose run has ended. */
    void remove(String sessionId) {
        List<Path> folders = new ArrayList<>(List.of(host.directory().resolve("fiber-" + sessionId)));
        places.values().stream()
                .map(Path::getParent)
                .filter(folder -> folder != null && folder.endsWith("fiber-" + sessionId))
                .forEach(folders::add);
        for (Path folder : folders) {
            try {
                host.files().deleteTree(folder);
            } catch (IOException e) {
                throw refused("The shared directory", "'" + folder + "' is not removed: " + e, e);
            }
        }
    }

    /** Returns the labels of a comment. */
    static Map<String, String> labels(String comment) {
        Map<String, String> labels = new LinkedHashMap<>();
        for (String each : comment.split(",", -1)) {
            int equals = each.indexOf('=');
            if (equals > 0) {
                labels.put(each.substring(0, equals), each.substring(equals + 1));
            }
        }
        // Only one's own jobs are asked for, and on the login node one may have another name.
        labels.remove(USER);
        return labels;
    }

    /** Returns the labels that the comment of a detached job has. */
    static Map<String, String> labelsOf(String sessionId, String name, Map<String, String> own) {
        return new SessionLabels(sessionId, Map.of()).ofJob(name, own);
    }

    /** Returns a time of Slurm, which is local there, and taken for local here. */
    static Instant time(String text) {
        try {
            return LocalDateTime.parse(text).atZone(ZoneId.systemDefault()).toInstant();
        } catch (DateTimeParseException e) {
            return Instant.EPOCH;
        }
    }
}
