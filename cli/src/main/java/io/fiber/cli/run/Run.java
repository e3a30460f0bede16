// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.run;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What is known of a run. Immutable.
 *
 * @param id by which it is named
 * @param backend where it runs
 * @param session by which the platform's records name it
 * @param command what runs, for a person
 * @param keeper the process that keeps it, or the platform
 * @param started when it was submitted
 * @param state where it stands
 * @param settings that lead to the platform, as the command line gave them
 */
public record Run(
        String id,
        String backend,
        String session,
        String command,
        Keeper keeper,
        Instant started,
        State state,
        Map<String, String> settings) {

    /** Readings of one start time may differ. */
    private static final Duration START_TOLERANCE = Duration.ofSeconds(5);

    /**
     * The process that keeps a run.
     *
     * @param host the name of its host, where alone the pid means something
     * @param pid its number there
     * @param started when it was started; tells it from a later one of that number
     */
    public record Keeper(String host, long pid, Instant started) {

        /** No process: the run was handed over to its platform. */
        public static final Keeper PLATFORM = new Keeper("", 0, Instant.EPOCH);

        /** Returns this process. */
        public static Keeper thisProcess() {
            ProcessHandle self = ProcessHandle.current();
            return new Keeper(thisHost(), self.pid(), started(self));
        }

        static String thisHost() {
            try {
                return java.net.InetAddress.getLocalHost().getHostName();
            } catch (java.net.UnknownHostException e) {
                return "localhost";
            }
        }

        private static Instant started(ProcessHandle process) {
            return process.info().startInstant().orElse(Instant.EPOCH);
        }

        /** Tells whether it is a process of this host. */
        public boolean isHere() {
            return host.equals(thisHost());
        }

        /** Returns the process while it lives on this host. */
        public Optional<ProcessHandle> process() {
            return isHere()
                    ? ProcessHandle.of(pid)
                            .filter(ProcessHandle::isAlive)
                            .filter(each -> Duration.between(started(each), started)
                                            .abs()
                                            .compareTo(START_TOLERANCE)
                                    < 0)
                    : Optional.empty();
        }
    }

    /**
     * Where a run stands.
     *
     * @param job its id on the platform; empty before it was submitted
     * @param words the state in words: {@code submitted}, {@code waits: Resources}, {@code runs on n2}, {@code exit code 7}
     * @param exitCode set when it has ended
     */
    public record State(String job, String words, OptionalInt exitCode) {

        /** Returns a state before the end. */
        public static State open(String job, String words) {
            return new State(job, words, OptionalInt.empty());
        }
    }

    /** Returns this run in another state. */
    public Run with(State next) {
        return new Run(id, backend, session, command, keeper, started, next, settings);
    }

    /** Returns this run when its platform keeps it. */
    public Run handedOver() {
        return new Run(id, backend, session, command, Keeper.PLATFORM, started, state, settings);
    }

    /** Tells whether its platform keeps it, and no process. */
    public boolean isOnPlatform() {
        return keeper.equals(Keeper.PLATFORM);
    }

    /** Tells whether it has ended, or its keeper has, which ends the job. */
    public boolean isOver() {
        return state.exitCode().isPresent() || isLost();
    }

    /** Tells whether the keeper was killed before it could note an end. */
    public boolean isLost() {
        return state.exitCode().isEmpty() && keeper.isHere() && keeper.process().isEmpty();
    }

    /** Returns the state for a person. */
    public String words() {
        return isLost() ? "lost: its keeper was killed, and the job with it" : state.words();
    }

    /** Returns the run for programs. */
    public Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("id", id);
        map.put("backend", backend);
        map.put("session", session);
        map.put("job", state.job());
        map.put("state", words());
        state.exitCode().ifPresent(code -> map.put("exitCode", code));
        map.put("over", isOver());
        map.put("started", started.toString());
        map.put("host", keeper.host());
        map.put("pid", keeper.pid());
        map.put("command", command);
        return map;
    }
}
