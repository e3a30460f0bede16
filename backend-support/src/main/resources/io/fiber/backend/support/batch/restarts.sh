

# A prologue runs in this shell, too, so the names that it could have begin with fiber_. How many times the program is started
# again after an end that is not its own.
fiber_most=@most@
# How many seconds before the end of the job's time the system sends USR1.
fiber_notice=@notice@
# How many seconds workers of a killed program may live on.
fiber_pause=30
fiber_noticed=-
fiber_asked=-
fiber_last=
fiber_last_s=0
fiber_end_s=
trap 'fiber_asked=asked' TERM

fiber_refuse() {
    echo "@refused@ $1" >&2
}

# Each start claims a file with its number, of which there is one only. It then holds the name that the system has for the job,
# unless the disk is full.
fiber_claim() {
    for ((fiber_start = 1; fiber_start <= fiber_most + 1; fiber_start++)); do
        if (set -o noclobber && : >"$folder/$index.start.$fiber_start") 2>/dev/null; then
            printf '%s\n' @id@ 2>/dev/null >|"$folder/$index.start.$fiber_start"
            rm -f "$folder/$index."{last,deadline} "$news-$index-"{leaving,ended}
            return 0
        elif [[ ! -e $folder/$index.start.$fiber_start ]]; then
            return 1
        fi
    done
    return 1
}

# The start before has left here when and how it ended, unless it was lost. A requeue from outside starts no run again that has
# ended by itself, that was ended for good, or that has used up its restarts.
if [[ -d $folder ]]; then
    if read -r code asked 2>/dev/null <"$news-$index-ended" && [[ $asked == - ]]; then
        exit "$code"
    fi
    read -r fiber_last_s fiber_last 2>/dev/null <"$folder/$index.last"
    if [[ -e $folder/$index.cancelled || -e $folder/$index.start.$((fiber_most + 1)) ]]; then
        if [[ ! -e $folder/$index.cancelled ]]; then
            fiber_refuse "its restarts ($fiber_most) are used up. The last exit code is ${fiber_last:-137}."
        fi
        if [[ -e $folder/$index.start.1 ]]; then
            tell ended "${fiber_last:-137} asked"
        fi
        exit "${fiber_last:-137}"
    fi
fi

# The program is asked to end. It is killed when some seconds are left of the notice, which are needed to ask for another start.
fiber_leave() {
    tell leaving -
    if [[ $fiber_noticed == - ]]; then
        fiber_noticed=noticed
        printf -v now '%(%s)T' -1
        echo "$((now + fiber_notice - 6))" >|"$folder/$index.deadline"
        if [[ ${child-} ]]; then
            kill -TERM "$child" 2>/dev/null
        fi
    fi
}
trap fiber_leave USR1

# Returns whether the program must be killed: its notice is over, or the system has lost this node and started it elsewhere.
fiber_is_overdue() {
    if [[ -e $folder/$index.start.$((fiber_start + 1)) ]]; then
        return 0
    fi
    read -r deadline 2>/dev/null <"$folder/$index.deadline" || return 1
    printf -v now '%(%s)T' -1
    ((now >= deadline))
}

# A program that was killed has not ended its workers. Those that are jobs of their own notice it within 30 s, and must not run
# beside the next ones. A program that has ended with 75 has none left.
fiber_await_workers() {
    if ((fiber_start > 1)) && [[ $fiber_last != 75 ]]; then
        printf -v now '%(%s)T' -1
        # A start that was lost has ended before this one, and it is not known when.
        if ((fiber_last_s <= 0 || fiber_last_s > now)); then
            fiber_last_s=$now
        fi
        left=$((fiber_pause - (now - fiber_last_s)))
        while ((left-- > 0)) && [[ $fiber_noticed == - && $fiber_asked == - ]]; do
            sleep 1
        done
    fi
    asked=$fiber_asked
    if [[ $fiber_noticed == noticed || $asked == asked ]]; then
        code=75
        if ((fiber_start > 1)); then
            # The time of this start counts for the next one, which would otherwise wait as long, and perhaps for ever.
            code=${fiber_last:-137}
            fiber_end_s=$fiber_last_s
        fi
        if [[ $fiber_noticed == noticed ]]; then
            echo "The program was not started: the end of the job was near." >&2
        fi
        fiber_finish
        exit "$code"
    fi
}

# Asks for another start if that helps; otherwise the run has ended.
fiber_finish() {
    code=${code:-143}
    if [[ -e $folder/$index.start.$((fiber_start + 1)) ]]; then
        return
    fi
    if ((fiber_end_s <= 0)); then
        printf -v fiber_end_s '%(%s)T' -1
    fi
    echo "$fiber_end_s $code" >|"$folder/$index.last"
    case $code in
        75 | 129 | 130 | 137 | 143)
            # The end of a job, by scancel or for a start elsewhere, comes to its processes in any order: the program may be the
            # first. Then the system, or who asked for it, has the last word.
            sleep 1
            if [[ $asked == - && ! -e $folder/$index.cancelled ]] && fiber_may_start_again && fiber_request; then
                return
            fi
            ;;
    esac
    tell ended "$code $asked"
}

fiber_may_start_again() {
    if ((fiber_start > fiber_most)); then
        fiber_refuse "its restarts ($fiber_most) are used up. The last exit code is $code."
        return 1
    elif [[ $code == 137 && $fiber_noticed == - ]] && fiber_is_memory_short; then
        fiber_refuse "its job has used all of its memory."
        return 1
    fi
}

# Returns whether the kernel has killed a process of this job because the job has used all of its memory, as the next would.
fiber_is_memory_short() {
    while IFS=: read -r _ controllers group; do
        # Version 2 of control groups names no controllers.
        [[ -z $controllers || ,$controllers, == *,memory,* ]] || continue
        for counts in "/sys/fs/cgroup$group/memory.events" "/sys/fs/cgroup/memory$group/memory.oom_control"; do
            while read -r name count; do
                if [[ $name == oom_kill && $count != 0 ]]; then
                    return 0
                fi
            done 2>/dev/null <"$counts"
        done
    done 2>/dev/null </proc/self/cgroup
    return 1
}

# Puts the job back into the queue, or submits its script again where the site does not allow that.
fiber_request() {
    # The system's programs use the cluster of the job around them, unless a profile names another one.
    unset -v SLURM_CLUSTERS SBATCH_CLUSTERS
    if ! fiber_requeue; then
        # The end of the job may have come to that program first.
        sleep 1
        if [[ $asked != - || -e $folder/$index.cancelled ]]; then
            return 1
        elif ! again=$(@resubmit@ 2>&1); then
            fiber_refuse "the system neither requeues its job (${refusal//$'\n'/ }) nor takes a new one (${again//$'\n'/ })."
            return 1
        fi
    fi
    # Who ends the run has left this mark before looking for the job.
    if [[ -e $folder/$index.cancelled ]]; then
        @withdraw@
    fi
}

# A controller that does not answer may have accepted the request, and may be back in minutes.
fiber_requeue() {
    for ((tries = 60; tries > 0; tries--)); do
        if refusal=$(@requeue@ 2>&1); then
            return 0
        elif [[ $refusal != *"Unable to contact"* && $refusal != *"timed out"* ]]; then
            return 1
        fi
        sleep 5
        if [[ $asked != - || -e $folder/$index.cancelled ]]; then
            return 1
        fi
    done
    return 1
}
