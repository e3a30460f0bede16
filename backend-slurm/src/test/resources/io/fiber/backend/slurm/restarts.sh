#!/bin/bash
# Fiber for Java, session abcdefghij01. Each job of the submission runs this script, and one process.
#SBATCH --job-name=fiber-abcdefghij01-0
#SBATCH --array=0-0
#SBATCH --nodes=1 --ntasks=1 --cpus-per-task=1
#SBATCH --mem=1024M
#SBATCH --propagate=NONE
#SBATCH --partition=long
#SBATCH --time=240
#SBATCH --signal=B:USR1@30
#SBATCH --requeue --open-mode=append
#SBATCH --chdir=/shared/fiber-abcdefghij01/job-0
#SBATCH --output=/shared/fiber-abcdefghij01/job-0/%a.out
#SBATCH --comment=io.fiber.job=worker-0,io.fiber.run=k3f0q8m2v7ad,io.fiber.session=abcdefghij01,io.fiber.user=anna

folder='/shared/fiber-abcdefghij01/job-0'
news='/shared/fiber-abcdefghij01/news/0'
index=${1-$SLURM_ARRAY_TASK_ID}
host=${SLURMD_NODENAME:-$HOSTNAME}

# A file that appears in one piece tells the session what has happened.
tell() {
    printf '%s\n' "$2" >|"$folder/$index.$1" && mv "$folder/$index.$1" "$news-$index-$1"
}

# The system's word that it will end the job soon: before its time is over, or another one needs its place. It comes to this shell
# alone.
trap 'tell leaving -' USR1

# A prologue runs in this shell, too, so the names that it could have begin with fiber_. How many times the program is started
# again after an end that is not its own.
fiber_most=20
# How many seconds before the end of the job's time the system sends USR1.
fiber_notice=30
# How many seconds workers of a killed program may live on.
fiber_pause=30
fiber_noticed=-
fiber_asked=-
fiber_last=
fiber_last_s=0
fiber_end_s=
trap 'fiber_asked=asked' TERM

fiber_refuse() {
    echo "FBR-141 The program is not started again: $1" >&2
}

# Each start claims a file with its number, of which there is one only. It then holds the name that the system has for the job,
# unless the disk is full.
fiber_claim() {
    for ((fiber_start = 1; fiber_start <= fiber_most + 1; fiber_start++)); do
        if (set -o noclobber && : >"$folder/$index.start.$fiber_start") 2>/dev/null; then
            printf '%s\n' "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID" 2>/dev/null >|"$folder/$index.start.$fiber_start"
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
        elif ! again=$(conf=${SLURM_CONF-}; unset -v "${!SLURM_@}" TMPDIR XDG_RUNTIME_DIR CUDA_VISIBLE_DEVICES ROCR_VISIBLE_DEVICES GPU_DEVICE_ORDINAL; [[ -z $conf ]] || export SLURM_CONF=$conf; sbatch --parsable --time=240 "$folder/job.sh" 2>&1); then
            fiber_refuse "the system neither requeues its job (${refusal//$'\n'/ }) nor takes a new one (${again//$'\n'/ })."
            return 1
        fi
    fi
    # Who ends the run has left this mark before looking for the job.
    if [[ -e $folder/$index.cancelled ]]; then
        scancel --quiet --name=fiber-abcdefghij01-0
    fi
}

# A controller that does not answer may have accepted the request, and may be back in minutes.
fiber_requeue() {
    for ((tries = 60; tries > 0; tries--)); do
        if refusal=$(scontrol requeue "$SLURM_JOB_ID" 2>&1); then
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

# Without its folder the session is over.
if [[ ! -d $folder || -e $folder/$index.cancelled ]] || ! fiber_claim; then
    exit 75
fi

cd -- '/home/me/project' 2>/dev/null || { echo "$HOSTNAME does not have this run's directory. The program starts in $HOME: a journal needs an absolute path." >&2; cd -- "$HOME"; } || { tell ended '126 -'; exit 126; }
unset FIBER_BOOTSTRAP
if [[ -e $folder/$index.bootstrap ]]; then
    export FIBER_BOOTSTRAP="file:$folder/$index.bootstrap"
fi
export FIBER_STOP_NOTICE="${FIBER_STOP_NOTICE:-20s}"

# A prologue may have a shell end at each code that is not 0, or forget a code once it was told.
set +e +o posix
trap - ERR
program=(
    'my-program'
)

# Removes what the program's transport keeps in shared memory, and leaves there when it is killed: of its own, or below that of
# the process that it dialled. Processes that live may have theirs below it. A shell of its own, as a prologue may change what
# patterns do.
clear_memory() (
    shopt -u failglob nullglob
    set +f
    all="/dev/shm/fiber-$EUID-abcdefghij01-"
    own="fiber-$EUID-abcdefghij01-$child"
    for left in "/dev/shm/$own"{,-[0-9]*} "$all"*"/peers/$own"{,-[0-9]*}; do
        if [[ -d $left && ! -L $left && -O $left ]]; then
            rmdir "$left/peers" 2>/dev/null
            if [[ -d $left/peers ]]; then
                rm -rf "$left/driver"
            else
                rm -rf "$left"
            fi
            above=${left%/peers/*}
            if [[ $above != "$left" && ! -d $above/driver ]]; then
                rmdir "$above/peers" "$above" 2>/dev/null
            fi
        fi
    done
)

# When the session's files are gone, its end could not be told by the system: this process ends, too.
guard() {
    exec >/dev/null 2>&1
    trap '' TERM
    missed=0
    while sleep 4; do
        if fiber_is_overdue; then
            kill -KILL "$child"
        fi
        if [[ -d $folder ]]; then
            missed=0
        elif ((++missed == 2)); then
            kill -TERM "$child"
        elif ((missed > 2)); then
            kill -KILL "$child"
        fi
    done
}

# Where the system follows jobs by control groups a signal comes to this shell alone, elsewhere the request to end comes
# to every process. If a signal interrupts the wait of bash just when the program ends, the exit code may be lost, or wait may never
# return. So a shell that no signal interrupts waits for the program. This one reads the program's number from it, and later the
# exit code.
fiber_await_workers
asked=-
child=
trap 'asked=asked; [[ -z $child ]] || kill -TERM "$child" 2>/dev/null' TERM
exec 7>&1
exec 9< <(
    exec 8>&1 >&7 7>&-
    trap '' TERM
    (
        trap - TERM
        echo "$BASHPID" >&8
        # The first word may be a function of the prologue. Only what it starts by exec receives signals.
        if declare -F -- "${program[0]}" >/dev/null; then
            "${program[@]}" </dev/null 8>&-
            exit
        fi
        exec "${program[@]}" </dev/null 8>&-
    ) &
    wait "$!"
    echo "$?" >&8
)
exec 7>&-
read -r child <&9
code=
if [[ $child ]]; then
    if [[ $asked == asked || $fiber_noticed == noticed ]]; then
        kill -TERM "$child" 2>/dev/null
    fi
    tell begun "$host"
    guard 9<&- &
    guard=$!
    # Without this, bash would report that it was killed.
    disown "$guard"
    # A signal that comes just before read is handled when read has timed out. What was read until then is the beginning of the code.
    while
        read -r -t 2 part <&9
        status=$?
        code+=$part
        ((status > 128))
    do :; done
    trap 'asked=asked' TERM
    kill -KILL "$guard"
    clear_memory
fi
fiber_finish
exit "${code:-143}"
