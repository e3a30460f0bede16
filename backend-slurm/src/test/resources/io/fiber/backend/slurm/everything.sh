#!/bin/bash
# Fiber for Java, session abcdefghij01. Each job of the submission runs this script, and one process.
#SBATCH --job-name=fiber-abcdefghij01-0
#SBATCH --array=0-49
#SBATCH --nodes=1 --ntasks=1 --cpus-per-task=3
#SBATCH --mem=2560M
#SBATCH --propagate=NONE
#SBATCH --account=p1234
#SBATCH --constraint="avx512&ib"
#SBATCH --partition=long
#SBATCH --qos=normal
#SBATCH --reservation=course
#SBATCH --exclude=node[7-9]
#SBATCH --gres=gpu:1,scratch:10
#SBATCH --time=2
#SBATCH --signal=B:USR1@30
#SBATCH --no-requeue --open-mode=append
#SBATCH --chdir=/shared/fiber-abcdefghij01/job-0
#SBATCH --output=/shared/fiber-abcdefghij01/job-0/%a.out
#SBATCH --comment="run=7,team=blue and green"
#SBATCH --licenses=matlab:1 --switches=1

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

# Without its folder the session is over. A second start of one job, by a requeue, runs nothing.
if [[ ! -d $folder || -e $folder/$index.cancelled ]] || ! (set -o noclobber && : >"$folder/$index.mark") 2>/dev/null; then
    exit 75
fi

names=(worker-0 worker-1 worker-2 worker-3 worker-4 worker-5 worker-6 worker-7 worker-8 worker-9 worker-10 worker-11 worker-12 worker-13 worker-14 worker-15 worker-16 worker-17 worker-18 worker-19 worker-20 worker-21 worker-22 worker-23 worker-24 worker-25 worker-26 worker-27 worker-28 worker-29 worker-30 worker-31 worker-32 worker-33 worker-34 worker-35 worker-36 worker-37 worker-38 worker-39 worker-40 worker-41 worker-42 worker-43 worker-44 worker-45 worker-46 worker-47 worker-48 worker-49)
mkdir -p '/home/me/logs'
exec >>'/home/me/logs'/"${names[index]}.log" 2>&1

cd -- '/data/run 7' || { tell ended '126 -'; exit 126; }
unset FIBER_BOOTSTRAP
if [[ -e $folder/$index.bootstrap ]]; then
    export FIBER_BOOTSTRAP="file:$folder/$index.bootstrap"
fi
unset JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS
export GREETING='a '\''b'\'' $c'
module purge
module load openjdk/17
# A prologue may have a shell end at each code that is not 0, or forget a code once it was told.
set +e +o posix
trap - ERR
program=(
    'numactl'
    '-l'
    'env'
    'odd.name=x'
    '/opt/jdk-17/bin/java'
    '-Xmx2048m'
    '-XX:ActiveProcessorCount=3'
    '-Dgreeting=it'\''s here'
    '-cp'
    '/home/me/my program.jar:/home/me/lib/*'
    'example.Main'
    '$HOME'
    ''
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
    if [[ $asked == asked ]]; then
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
[[ -z $code ]] || tell ended "$code $asked"
exit "${code:-143}"
