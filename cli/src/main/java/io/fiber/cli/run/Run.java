// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.run;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What is known about a run. Immutable.
 *
 * @param id the id that identifies it
 * @param backend the backend on which it runs
 * @param session the name in the platform's records
 * @param command what runs, for people to read
 * @param keeper the process that keeps it, or the platform
 * @param started when it was submitted
 * @param state its state
 * @param settings the settings of the command line that select the platform
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

    /** Two readings of the same start time may differ by this much. */
    private static final Duration START_TOLERANCE = Duration.ofSeconds(5);

    /**
     * The process that keeps a run.
     *
     * @param host the name of its host, within which the pid is unique
     * @param pid its process id there
     * @param started when it was started, which distinguishes it from a later process with the same id
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

        /** Returns whether it is a process of this host. */
        public boolean isHere() {
            return host.equals(thisHost());
        }

        /** Returns the process while it is alive on this host. */
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
     * The state of a run.
     *
     * @param job its id on the platform; empty before it was submitted
     * @param words the state in words: {@code submitted}, {@code waits: Resources}, {@code runs on n2}, {@code exit
     *     code 7}
     * @param restarts how many times its program has been started again
     * @param exitCode present once it has ended
     */
    public record State(String job, String words, int restarts, OptionalInt exitCode) {

        /** Returns a state before the end, of a program that was started once. */
        public static State open(String job, String words) {
            return new State(job, words, 0, OptionalInt.empty());
        }

        /** Returns the state after this one, before the end. */
        public State next(String nextJob, String nextWords) {
            return new State(nextJob, nextWords, restarts, OptionalInt.empty());
        }

        /** Returns the state after this one in which the program is started again. */
        State restarted(int restart, String nextWords) {
            return new State(job, nextWords, restart, OptionalInt.empty());
        }

        /** Returns this state with the end of the run. */
        public State ended(int code) {
            return new State(job, words, restarts, OptionalInt.of(code));
        }
    }

    /** Returns this run with another state. */
    public Run with(State next) {
        return new Run(id, backend, session, command, keeper, started, next, settings);
    }

    /** Returns this run as kept by its platform. */
    public Run handedOver() {
        return new Run(id, backend, session, command, Keeper.PLATFORM, started, state, settings);
    }

    /** Returns whether its platform keeps it, and not a process. */
    public boolean isOnPlatform() {
        return keeper.equals(Keeper.PLATFORM);
    }

    /** Returns whether it has ended, or its keeper has ended, which ends the job. */
    public boolean isOver() {
        return state.exitCode().isPresent() || isLost();
    }

    /** Returns whether the keeper was killed before it could record how the run ended. */
    public boolean isLost() {
        return state.exitCode().isEmpty() && keeper.isHere() && keeper.process().isEmpty();
    }

    /** Returns the state for people to read, without the restarts. */
    public String words() {
        return isLost() ? "lost: its keeper was killed, and the job with it" : state.words();
    }

    /** Returns the run for programs to read. */
    public Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("id", id);
        map.put("backend", backend);
        map.put("session", session);
        map.put("job", state.job());
        map.put("state", words());
        map.put("restarts", state.restarts());
        state.exitCode().ifPresent(code -> map.put("exitCode", code));
        map.put("over", isOver());
        map.put("started", started.toString());
        map.put("host", keeper.host());
        map.put("pid", keeper.pid());
        map.put("command", command);
        return map;
    }
}
