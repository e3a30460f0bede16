

# How many times the program is started again after an end that is not its own.
most=@most@
# How many seconds before the end of the job's time the system sends USR1.
notice=@notice@
noticed=-
asked=-
last=
last_s=0

# Only this shell knows whether the run has ended: the one that waits for the program does not tell it.
tell() {
    if [[ $1 != ended || $BASHPID == "$$" ]]; then
        printf '%s\n' "$2" >|"$folder/$index.$1" && mv "$folder/$index.$1" "$news-$index-$1"
    fi
}

# Each start claims a file with its number, of which there is one only: it holds the name that the system has for the job.
claim() {
    for ((start = 1; start <= most + 1; start++)); do
        if (set -o noclobber && printf '%s\n' @id@ >"$folder/$index.start.$start") 2>/dev/null; then
            rm -f "$folder/$index."{last,deadline} "$news-$index-"{leaving,ended}
            return 0
        elif [[ ! -e $folder/$index.start.$start ]]; then
            return 1
        fi
    done
    return 1
}

# The start before has left here when and how it ended, unless it was lost. A requeue from outside starts no run again that was
# ended for good, or that has used up its restarts.
if [[ -d $folder ]]; then
    read -r last_s last 2>/dev/null <"$folder/$index.last"
    if [[ -e $folder/$index.cancelled || -e $folder/$index.start.$((most + 1)) ]]; then
        if [[ ! -e $folder/$index.cancelled ]]; then
            echo "@refused@ it has been started $((most + 1)) times, and was to be started again" \
                "$most times at most." >&2
        fi
        if [[ -e $folder/$index.start.1 ]]; then
            tell ended "${last:-137} asked"
        fi
        exit "${last:-137}"
    fi
fi

# The program is asked to end. It is killed when some seconds are left of the notice, which are needed to ask for another start.
leave() {
    tell leaving -
    if [[ $noticed == - ]]; then
        noticed=noticed
        printf -v now '%(%s)T' -1
        echo "$((now + notice - 6))" >|"$folder/$index.deadline"
        if [[ ${inner-} ]]; then
            kill -TERM "$inner" 2>/dev/null
        fi
    fi
}
trap leave USR1

# Returns whether the program must be killed: its notice is over, or the system has lost this node and started it elsewhere.
is_overdue() {
    if [[ -e $folder/$index.start.$((start + 1)) ]]; then
        return 0
    fi
    read -r deadline 2>/dev/null <"$folder/$index.deadline" || return 1
    printf -v now '%(%s)T' -1
    ((now >= deadline))
}

# A program that was killed has not ended its workers. Those that are jobs of their own notice it within 30 s, and must not run
# beside the next ones. A program that has ended with 75 has none left.
await_workers() {
    if ((start > 1)) && [[ $last != 75 ]]; then
        printf -v now '%(%s)T' -1
        left=30
        if ((last_s > 0 && now - last_s > 0)); then
            left=$((30 - (now - last_s)))
        fi
        while ((left-- > 0)) && [[ $noticed == - ]]; do
            sleep 1
        done
    fi
    if [[ $noticed == noticed ]]; then
        # Its workers may still be there.
        code=75
        if ((start > 1)); then
            code=${last:-137}
        fi
        finish
        exit "$code"
    fi
}

# Asks for another start if that helps; otherwise the run has ended.
finish() {
    code=${code:-143}
    if [[ -e $folder/$index.start.$((start + 1)) ]]; then
        return
    fi
    printf '%(%s)T %s\n' -1 "$code" >|"$folder/$index.last"
    case $code in
        75 | 129 | 130 | 137 | 143)
            # The end of a job, by scancel or for a start elsewhere, comes to its processes in any order: the program may be the
            # first. Then the system, or who asked for it, has the last word.
            sleep 1
            if [[ $asked == - && ! -e $folder/$index.cancelled ]] && ((start <= most)) && ! is_memory_short && request; then
                return
            fi
            ;;
    esac
    tell ended "$code $asked"
}

# Returns whether the kernel has killed a process of this job because the job has used all of its memory, as the next would.
is_memory_short() {
    while IFS=: read -r _ _ group; do
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
request() {
    if ! refusal=$(@requeue@ 2>&1); then
        if [[ $asked != - ]]; then
            return 1
        elif ! again=$(@resubmit@ 2>&1); then
            echo "@refused@ the system neither requeues its job (${refusal//$'\n'/ }) nor takes" \
                "a new one (${again//$'\n'/ })." >&2
            return 1
        fi
    fi
    # Who ends the run has left this mark before looking for the job.
    if [[ -e $folder/$index.cancelled ]]; then
        @withdraw@
    fi
}
