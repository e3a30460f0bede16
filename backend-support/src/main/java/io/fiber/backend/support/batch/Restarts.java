// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Map;

/**
 * Has the script of a job start its program again, by the template {@code restarts.sh}. The commands are lines of
 * bash in which {@code $folder} is the directory of the script {@code job.sh}.
 *
 * @param most how many times the program is started again
 * @param notice how long before the end of the job's time the batch system sends SIGUSR1 to the script
 * @param id the shell's word for the name that the batch system has for the job
 * @param requeue command that puts the job back into the queue
 * @param resubmit command that submits the script as a new job, which is run if the first command fails
 * @param withdraw command that cancels the job, and the new one
 */
public record Restarts(int most, Duration notice, String id, String requeue, String resubmit, String withdraw) {

    /** The least notice that leaves a program time to stop. */
    public static final Duration LEAST_NOTICE = Duration.ofSeconds(15);

    /** For a script without restarts: the mark of the first start keeps others from running the program. */
    static final Map<String, String> NONE = Map.of(
            "restarts",
            "",
            "second",
            " A second start of one job, by a requeue, runs nothing.",
            "claimed",
            "(set -o noclobber && : >\"$folder/$index.mark\") 2>/dev/null",
            "overdue",
            "",
            "begin",
            "",
            "noticed",
            "",
            "finish",
            "[[ -z $code ]] || tell ended \"$code $asked\"");

    private static final String REFUSED = "FBR-141 The program is not started again:";
    private static final String TEMPLATE = BatchScript.template("restarts.sh");

    /** After its tasks a program ends its session; the script needs some seconds, too. */
    private static final Duration TIME_TO_END = Duration.ofSeconds(10);

    /** Checks that no value is null, and that there is time for an end in order. */
    public Restarts {
        if (most < 1) {
            throw new IllegalArgumentException("most=" + most + "; expected 1 or more");
        }
        if (notice.compareTo(LEAST_NOTICE) < 0) {
            throw new IllegalArgumentException("notice=" + notice + "; expected " + LEAST_NOTICE + " or more");
        }
        requireNonNull(id, "id");
        requireNonNull(requeue, "requeue");
        requireNonNull(resubmit, "resubmit");
        requireNonNull(withdraw, "withdraw");
    }

    /** Returns the line that tells the program how long tasks may run on when it is asked to end, unless the variable is set. */
    String export() {
        return "export FIBER_STOP_NOTICE=\"${FIBER_STOP_NOTICE:-"
                + notice.minus(TIME_TO_END).toSeconds() + "s}\"\n";
    }

    /** Returns what stands in the places of the template {@code job.sh}. */
    Map<String, String> places() {
        Map<String, String> own = Map.of(
                "most", String.valueOf(most),
                "notice", String.valueOf(notice.toSeconds()),
                "id", id,
                "requeue", requeue,
                "resubmit", resubmit,
                "withdraw", withdraw,
                "refused", REFUSED);
        return Map.of(
                "restarts",
                BatchScript.filled(TEMPLATE, own).stripTrailing(),
                "second",
                "",
                "claimed",
                "fiber_claim",
                "overdue",
                "\n        if fiber_is_overdue; then\n            kill -KILL \"$child\"\n        fi",
                "begin",
                "fiber_await_workers\n",
                "noticed",
                " || $fiber_noticed == noticed",
                "finish",
                "fiber_finish");
    }
}
