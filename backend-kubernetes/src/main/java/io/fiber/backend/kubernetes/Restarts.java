// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStateTerminatedBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a Job of the API starts a program again after a restartable end, and only then. A Job replaces every pod that
 * fails, whatever its exit code (rules for exit codes exist since Kubernetes 1.26, and older servers drop them
 * silently). So a shell in the pod runs the program. It passes on the exit code of a restartable end. After any other
 * end it writes the code into the container's termination message and exits with 0, which completes the Job.
 */
final class Restarts {

    /** Marks the Job and its pods; the value is the greatest number of restarts. */
    static final String ANNOTATION = "io.fiber.restarts";

    /** The executable that the image needs in addition to the program's. */
    static final String SHELL = "sh";

    static final String STOP_NOTICE = "FIBER_STOP_NOTICE";

    /** The default of the API. */
    private static final long DEFAULT_GRACE_S = 30;

    /** What a program needs after its tasks have stopped, to close its session and exit. */
    private static final long REST_OF_STOP_S = 5;

    /**
     * Workers whose program was killed end within this time. It is also the API's default grace: the replacement of a
     * deleted pod is created while the old program is still stopping.
     */
    private static final long SHORTEST_PAUSE_S = 30;

    /**
     * A pod cannot see whether it is the first one of its run. If it starts within this time after the submission, it
     * counts as the first and does not pause. A first pod that waited longer in a queue pauses needlessly.
     */
    private static final long FIRST_WITHIN_S = 20;

    private static final String DEFAULT_MESSAGE_PATH = "/dev/termination-log";

    private static final Pattern MESSAGE = Pattern.compile("code=(\\d{1,3})( oom)?");

    /**
     * The shell's program. Its arguments are the pause, the time of submission, the greatest age of a first pod, the
     * file of the termination message, and the program's words. {@code wait} returns early if a signal arrives, and
     * returns 127 for a program whose code it has returned before. Counters of the control group (version 1 or 2) say
     * whether signal 9 was that of the kernel, which had run out of memory.
     */
    private static final String SCRIPT = """
            pause=$1 submitted=$2 first=$3 message=$4; shift 4
            child= asked=
            trap 'asked=1; [ -z "$child" ] || kill -TERM "$child" 2>/dev/null' TERM INT HUP
            now=$(date +%s)
            if [ $((${now:-9999999999} - submitted)) -gt "$first" ]; then
              sleep "$pause" & child=$!
              wait "$child"
              [ -z "$asked" ] || exit 143
            fi
            "$@" & child=$!
            [ -z "$asked" ] || kill -TERM "$child"
            code=127
            while :; do
              asked=
              wait "$child"
              last=$?
              [ $last = 127 ] || code=$last
              [ -n "$asked" ] || break
            done
            oom=
            for file in /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control; do
              if [ -r $file ]; then
                while read -r name count; do [ "$name $count" = "oom_kill 0" ] || [ "$name" != oom_kill ] || oom=1; done <$file
              fi
            done
            case $code in
              0 | 75 | 129 | 130 | 143) exit $code ;;
              137) [ -n "$oom" ] || exit $code; code="$code oom" ;;
            esac
            echo "code=$code" >"$message" && exit 0
            exit ${code% oom}
            """;

    private Restarts() {}

    /** Returns the words that run a program in a pod of a Job. */
    static List<String> words(List<String> program, Optional<Long> graceS, Optional<String> messagePath, Instant now) {
        List<String> words = new ArrayList<>(List.of(
                SHELL,
                "-c",
                SCRIPT,
                "fiber",
                String.valueOf(Math.max(SHORTEST_PAUSE_S, graceS.orElse(DEFAULT_GRACE_S))),
                String.valueOf(now.getEpochSecond()),
                String.valueOf(FIRST_WITHIN_S),
                messagePath.orElse(DEFAULT_MESSAGE_PATH)));
        words.addAll(program);
        return words;
    }

    /** Returns how long running tasks may take after SIGTERM, as the setting {@code stop-notice}. */
    static String stopNotice(Optional<Long> graceS) {
        return Math.max(1, graceS.orElse(DEFAULT_GRACE_S) - REST_OF_STOP_S) + "s";
    }

    /** Returns whether this is a pod of a Job that starts its program again. */
    static boolean has(ObjectMeta metadata) {
        Map<String, String> annotations = metadata.getAnnotations();
        return annotations != null && annotations.containsKey(ANNOTATION);
    }

    /** Returns how a program ended, if the shell that ran it ended in its place. */
    static ContainerStateTerminated ofProgram(Pod pod, ContainerStateTerminated ofContainer) {
        if (!has(pod.getMetadata()) || !Integer.valueOf(0).equals(ofContainer.getExitCode())) {
            return ofContainer;
        }
        Matcher message =
                MESSAGE.matcher(String.valueOf(ofContainer.getMessage()).strip());
        if (!message.matches()) {
            return ofContainer;
        }
        return new ContainerStateTerminatedBuilder(ofContainer)
                .withExitCode(Integer.parseInt(message.group(1)))
                .withReason(message.group(2) == null ? "Error" : PodReading.OUT_OF_MEMORY)
                .withMessage(null)
                .build();
    }
}
