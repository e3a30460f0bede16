// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.broken;

import java.util.List;
import java.util.Set;

/** A bug of a backend, the groups of the kit that are run against it, and the clauses of them that must find it. */
enum BackendBug {
    NONE(Groups.ALL),
    ANOTHER_NAME(Groups.ALL, "BKD-001"),
    NOT_REGISTERED(Groups.ALL, "BKD-105", "BKD-501"),
    PROBE_THROWS(Groups.ALL, "BKD-102"),
    UNEXPECTED_CAPABILITY(Groups.ALL, "BKD-103"),
    OPTION_TWICE(Groups.ALL, "BKD-104"),
    BAD_SPI_VERSION(Groups.ALL, "BKD-101"),
    CALLER_HOST_CHANGES(Groups.ALL, "BKD-110"),
    ONE_HOST_CHANGES(Groups.ALL, "BKD-110"),
    SUBMIT_RETURNS_NULL(List.of("Submission", "Orphans"), "BKD-201"),
    JOBS_REVERSED(Groups.ALL, "BKD-201"),
    EMPTY_ARGUMENTS_LOST(Groups.ALL, "BKD-202"),
    COMMAND_WORDS_TRIMMED(Groups.ALL, "BKD-205"),
    JVM_OPTIONS_DROPPED(Groups.ALL, "BKD-206"),
    HEAP_BEHIND_OPTIONS(List.of("Submission"), "BKD-206"),
    RUNS_TWICE(List.of("Submission"), "BKD-203", "BKD-208"),
    ONE_ID_FOR_ALL(Groups.ALL, "BKD-204", "BKD-406", "BKD-801"),
    IDS_COME_AGAIN(List.of("Submission"), "BKD-204", Says.of("when another job has the id")),
    ORDER_TAKEN_TWICE(List.of("Threads"), "BKD-203", Says.of("it was submitted once")),
    INTERRUPT_SWALLOWED(List.of("Threads"), "BKD-214", Says.of("interrupted after submit")),
    LONG_NAMES_CUT(Groups.ALL, "BKD-201"),
    MISSING_PROGRAM_SUCCEEDS(Groups.ALL, "BKD-207"),
    WORDS_IN_ASCII(List.of("Submission"), "BKD-210"),
    WORDS_ON_ONE_LINE(List.of("Submission"), "BKD-210"),
    LONG_WORDS_CUT(List.of("Submission"), "BKD-212"),
    NAMES_OF_ALL_SESSIONS(List.of("Submission"), "BKD-213"),
    HUNDRED_JOBS_ARE_REMEMBERED(List.of("Submission"), "BKD-211"),
    PREVIEW_STARTS(List.of("Submission"), "BKD-209"),
    PREVIEW_SHOWS_BOOTSTRAP(List.of("Submission"), "BKD-209"),
    CANCEL_SAYS_FAILED(List.of("Cancellation"), "BKD-301", "BKD-302", "BKD-303", "BKD-308", "BKD-311", "BKD-312"),
    CANCEL_NEVER_ASKS(Groups.ALL, "BKD-302", "BKD-303", "BKD-305"),
    GRACE_IN_SECONDS(List.of("Cancellation"), "BKD-303"),
    GRACE_OVERFLOWS(List.of("Cancellation"), "BKD-302"),
    GRACE_IS_ENDLESS(List.of("Cancellation"), "BKD-303", "BKD-306"),
    CANCEL_BLOCKS(List.of("Cancellation"), "BKD-305"),
    LATE_CANCEL_IS_TOLD(Groups.ALL, "BKD-307"),
    CANCEL_HITS_ALL(List.of("Cancellation"), "BKD-309"),
    CANCEL_BY_BEGINNING_OF_NAME(List.of("Cancellation"), "BKD-309"),
    CANCEL_HITS_THE_NEXT(List.of("Cancellation"), "BKD-309", Says.of("was cancelled, and job")),
    LISTENER_CALLED_UNDER_A_LOCK(List.of("Threads"), "BKD-313", Says.of("as if it waited for the listener")),
    SLOW_SUBMIT_BLOCKS_CANCEL(List.of("Platform"), "BKD-314", Says.of("slow to accept another job")),
    CANCEL_INSIDE_EVENT_LOST(List.of("Cancellation"), "BKD-312"),
    SESSIONS_LIVE_ON(List.of("Cancellation"), "BKD-310"),
    QUEUE_IS_FORGOTTEN(List.of("Cancellation"), "BKD-311"),
    WAITING_AFTER_RUNNING(List.of("Events", "Close"), "BKD-401"),
    EVENTS_OVERLAP(List.of("Events"), "BKD-402"),
    RUNNING_TWICE(List.of("Cancellation", "Logs"), "BKD-403"),
    ENDED_TWICE(List.of("Cancellation", "Logs"), "BKD-404"),
    END_NOT_TOLD(List.of("Orphans", "Logs"), "BKD-404", "BKD-727"),
    START_NOT_TOLD(List.of("Events", "Bootstrap"), "BKD-405"),
    EVENT_IS_NULL(List.of("Events", "Close"), "BKD-406"),
    ZERO_IS_FAILURE(List.of("Events"), "BKD-407"),
    CODE_IS_LOST(Groups.ALL, "BKD-408", "BKD-411", "BKD-413", "BKD-415", "BKD-419", "BKD-701"),
    KILLED_IS_LOST(Groups.ALL, "BKD-409"),
    KILLED_IS_NOT_TOLD(List.of("Events"), "BKD-409", Says.of("killed from outside, and no end")),
    SUSPENDED_IS_ENDED(List.of("Platform"), "BKD-417", Says.of("the platform has suspended job")),
    LOST_ANSWER_IS_REPEATED(List.of("Platform"), "BKD-418", Says.of("2 programs of it run")),
    RESTART_IS_A_NEW_START(List.of("Platform"), "BKD-419", Says.of("has started job")),
    STATE_STANDS_STILL(List.of("Events"), "BKD-410", "BKD-411", "BKD-415"),
    OUTAGE_IS_DEATH(List.of("Events"), "BKD-411", "BKD-415"),
    SIGNALS_ARE_CODES(List.of("Events"), "BKD-416"),
    CODES_HAVE_SEVEN_BITS(List.of("Events"), "BKD-413"),
    QUEUED_IS_RUNNING(List.of("Events"), "BKD-414"),
    LONG_OUTAGE_IS_DEATH(List.of("Events"), "BKD-415"),
    OUTAGE_IS_REJECTION(Groups.ALL, "BKD-411", "BKD-412", "BKD-418"),
    CANCEL_FORGOTTEN_IN_OUTAGE(List.of("Events"), "BKD-415"),
    WISH_IGNORED(Groups.ALL, "BKD-501"),
    REFUSAL_WITHOUT_CODE(Groups.ALL, "BKD-501"),
    PREVIEW_REFUSES_NOTHING(Groups.ALL, "BKD-501"),
    LOGS_NOT_DECLARED(Groups.ALL, "BKD-502"),
    LABELS_REFUSED(Groups.ALL, "BKD-503"),
    PROCESSORS_IGNORED(List.of("Capabilities"), "BKD-511"),
    MEMORY_IGNORED(List.of("Capabilities"), "BKD-513", "BKD-514"),
    GPUS_IGNORED(List.of("Capabilities"), "BKD-516", "BKD-522"),
    GPUS_SHARED(List.of("Capabilities"), "BKD-522"),
    TIME_LIMIT_IGNORED(Groups.ALL, "BKD-517"),
    TIME_COUNTS_FROM_SUBMISSION(List.of("Events"), "BKD-517"),
    DIRECTORY_IGNORED(Groups.ALL, "BKD-518", "BKD-718"),
    LABELS_IN_SMALL_LETTERS(List.of("Capabilities"), "BKD-519"),
    LABELS_CUT(List.of("Capabilities"), "BKD-519"),
    LABELS_DROPPED(Groups.ALL, "BKD-519", "BKD-801"),
    PREEMPTION_NOT_TOLD(Groups.ALL, "BKD-521"),
    SECOND_CLOSE_THROWS(
            List.of("Close"),
            "BKD-601",
            "BKD-602",
            "BKD-603",
            "BKD-604",
            "BKD-605",
            "BKD-606",
            "BKD-607",
            "BKD-609",
            "BKD-610",
            "BKD-614"),
    CLOSE_HITS_OTHERS(Groups.ALL, "BKD-604", "BKD-801"),
    CLOSED_TAKES_MORE(Groups.ALL, "BKD-603"),
    LEAKS_THREAD(List.of("Submission", "Close"), "BKD-605"),
    LEAVES_FILE(List.of("Submission", "Close"), "BKD-606"),
    SLOW_CLOSE_IN_OUTAGE(List.of("Close"), "BKD-607"),
    TOLD_AFTER_CLOSE(List.of("Close"), "BKD-609", "BKD-610"),
    INTERRUPT_ENDS_CLOSE(List.of("Close"), "BKD-610"),
    PROPERTY_IS_SET(List.of("Close"), "BKD-612"),
    FILES_OF_ENDED_JOBS_ARE_OPEN(List.of("Close"), "BKD-613"),
    FILES_STAY_OPEN(List.of("Close"), "BKD-613"),
    THREADS_OF_ENDED_JOBS_LIVE(List.of("Close"), "BKD-613"),
    LOCALE_CHANGES_WHILE_OPEN(List.of("Close"), "BKD-612"),
    JOBS_STAY_LISTED(List.of("Threads"), "BKD-614", Says.of("the platform still has of session")),
    REAPER_FORGOTTEN(List.of("Orphans", "Close"), "BKD-608"),
    BOOTSTRAP_SHARED(Groups.ALL, "BKD-701"),
    BOOTSTRAPS_IN_TEXT_ORDER(Groups.ALL, "BKD-701"),
    BOOTSTRAP_IN_ENVIRONMENT(Groups.ALL, "BKD-704"),
    BOOTSTRAP_IN_BASE64(List.of("Bootstrap"), "BKD-704"),
    BOOTSTRAP_IN_BASE32(List.of("Bootstrap"), "BKD-704"),
    BOOTSTRAP_IN_HEX(List.of("Bootstrap"), "BKD-704"),
    BOOTSTRAP_IN_NUMBERS(List.of("Bootstrap"), "BKD-704"),
    BOOTSTRAP_BACKWARDS(List.of("Bootstrap"), "BKD-704"),
    BOOTSTRAP_IN_REAPER(List.of("Bootstrap"), "BKD-704"),
    BOOTSTRAP_CUT(List.of("Bootstrap"), "BKD-706"),
    BOOTSTRAP_COPIED(List.of("Bootstrap"), "BKD-707"),
    BOOTSTRAP_OF_ALL(List.of("Bootstrap"), "BKD-703", "BKD-707", "BKD-708"),
    BOOTSTRAP_AMONG_ALL(List.of("Bootstrap"), "BKD-708"),
    VARIABLE_ALWAYS_SET(Groups.ALL, "BKD-705"),
    ENVIRONMENT_TRIMMED(Groups.ALL, "BKD-711", "BKD-713"),
    VARIABLES_STAY(List.of("Bootstrap"), "BKD-711"),
    VALUES_ON_ONE_LINE(List.of("Bootstrap"), "BKD-713"),
    VALUES_IN_ASCII(List.of("Bootstrap"), "BKD-713"),
    ODD_NAMES_LOST(List.of("Bootstrap"), "BKD-714"),
    VARIABLES_COME_ALONG(List.of("World"), "BKD-715", Says.of("is in the environment of its job")),
    FILES_FOR_ALL(List.of("World"), "BKD-716", Says.of("umask 0000")),
    HOST_OF_THE_SUBMITTER(List.of("World"), "BKD-717", Says.of("that the platform runs on 'simulated-host'")),
    MISSING_DIRECTORY_IGNORED(List.of("World"), "BKD-718", Says.of("did not exist")),
    LINES_CUT(List.of("Logs"), "BKD-728"),
    PARTS_ARE_LINES(List.of("Logs"), "BKD-728"),
    LOGS_IN_ANOTHER_CHARSET(List.of("Logs"), "BKD-729"),
    LOGS_OF_THE_FIRST(List.of("Logs"), "BKD-730"),
    LOGS_TOO_FEW(List.of("Logs"), "BKD-731"),
    FILES_TRUNCATED(List.of("Logs"), "BKD-732"),
    LINES_COME_AGAIN(List.of("Logs"), "BKD-734"),
    LOGS_COME_LATE(List.of("Logs"), "BKD-733"),
    LOGS_ROTATE(List.of("Logs"), "BKD-731"),
    ERRORS_COME_AT_THE_END(List.of("Logs"), "BKD-722", Says.of("while the job runs, the line 'to error'")),
    LOGS_REVERSED(Groups.ALL, "BKD-721", "BKD-724", "BKD-731", "BKD-734"),
    EMPTY_LINES_LOST(List.of("Logs"), "BKD-721"),
    UNFINISHED_LINE_LOST(List.of("Logs"), "BKD-733"),
    LOGS_WITHOUT_ERRORS(Groups.ALL, "BKD-722"),
    LOGS_GONE_AT_END(Groups.ALL, "BKD-723", "BKD-730", "BKD-733"),
    LOGS_OF_UNSTARTED_THROW(Groups.ALL, "BKD-723"),
    LOGS_UNLIMITED(Groups.ALL, "BKD-724", "BKD-731"),
    LOGS_ARE_ALIVE(List.of("Logs"), "BKD-724"),
    LOGS_ALLOCATE_FIRST(List.of("Logs"), "BKD-724"),
    FILES_IGNORED(Groups.ALL, "BKD-725"),
    FILES_LEAVE_LOGS_EMPTY(List.of("Logs"), "BKD-725"),
    CONSOLE_IGNORED(List.of("Logs"), "BKD-726"),
    CONSOLE_WITHOUT_UNFINISHED_LINE(List.of("Logs"), "BKD-726"),
    RUNS_OF_ITS_OWN_SESSION(List.of("Detached"), "BKD-801"),
    RUNS_ARE_NOT_HANDED_OVER(List.of("Detached"), "BKD-801", "BKD-803"),
    LOGS_OF_RUNS_ARE_NOT_FOLLOWED(List.of("Detached"), "BKD-802"),
    ENDED_RUNS_ARE_FORGOTTEN(List.of("Detached"), "BKD-803", "BKD-807"),
    CODES_OF_RUNS_ARE_LOST(List.of("Detached"), "BKD-803", "BKD-807"),
    RUNS_ARE_NOT_ASKED(List.of("Detached"), "BKD-804", "BKD-808"),
    RUNS_ARE_ONLY_ASKED(List.of("Detached"), "BKD-804"),
    END_OF_AN_ENDED_RUN_THROWS(List.of("Detached"), "BKD-804"),
    LIVE_SESSIONS_ARE_LEFT(List.of("Detached"), "BKD-805"),
    LEFTOVERS_STAY(List.of("Detached"), "BKD-805"),
    RESTARTS_IGNORED(List.of("Detached"), "BKD-806", "BKD-807", "BKD-808"),
    RESTARTS_ARE_NOT_SEEN(List.of("Detached"), "BKD-806", "BKD-808"),
    ONE_RESTART_TOO_MANY(List.of("Detached"), "BKD-807"),
    RESTARTED_RUNS_ARE_NOT_ENDED(List.of("Detached"), "BKD-808");

    /**
     * What the failure must say, so that it names the fault.
     *
     * @param phrase a part of what was seen
     */
    record Says(String phrase) {
        static Says of(String phrase) {
            return new Says(phrase);
        }
    }

    /** Sets of groups. */
    private static final class Groups {
        static final List<String> ALL = List.of();
    }

    @SuppressWarnings("ImmutableEnumChecker") // List.of cannot be changed.
    private final List<String> groups;

    @SuppressWarnings("ImmutableEnumChecker") // Set.of cannot be changed.
    private final Set<String> clauses;

    private final String phrase;

    BackendBug(List<String> groups, String... clauses) {
        this.groups = groups;
        this.clauses = Set.of(clauses);
        this.phrase = "";
    }

    BackendBug(List<String> groups, String clause, Says says) {
        this.groups = groups;
        this.clauses = Set.of(clause);
        this.phrase = says.phrase();
    }

    /** Returns the groups that are run, all when it is empty: bugs that cost a time-out for each test run in few. */
    List<String> groups() {
        return groups;
    }

    Set<String> clauses() {
        return clauses;
    }

    /** Returns what each failure must say; empty if any text will do. */
    String phrase() {
        return phrase;
    }
}
