#!/bin/bash
# Fiber for Java, session abcdefghij01. Each element of the array, or each step, runs one process.
#SBATCH --job-name=fiber-abcdefghij01-0
#SBATCH --array=0-0
#SBATCH --nodes=1 --ntasks=1 --cpus-per-task=1
#SBATCH --mem=1280M
#SBATCH --signal=B:USR1@30
#SBATCH --no-requeue --open-mode=append
#SBATCH --chdir=/shared/fiber-abcdefghij01/job-0
#SBATCH --output=/shared/fiber-abcdefghij01/job-0/%a.out

folder='/shared/fiber-abcdefghij01/job-0'
news='/shared/fiber-abcdefghij01/news/0'
index=${1-$SLURM_ARRAY_TASK_ID}
host=${SLURMD_NODENAME:-$HOSTNAME}
umask 077

# A file that appears in one piece tells the session what has happened.
tell() {
    printf '%s\n' "$2" >"$folder/$index.$1" && mv "$folder/$index.$1" "$news-$index-$1"
}

# Slurm's word that it will end the job soon (--signal, or a preemption). It comes to this shell alone.
trap 'tell leaving -' USR1

# Without its folder the session is over. A second start of one element, by a requeue, runs nothing.
if [[ ! -d $folder || -e $folder/$index.cancelled ]] || ! (set -o noclobber && : >"$folder/$index.mark") 2>/dev/null; then
    exit 75
fi

cd -- '/home/me/project' 2>/dev/null || cd -- "$HOME" || { tell ended '126 -'; exit 126; }
unset FIBER_BOOTSTRAP
if [[ -e $folder/$index.bootstrap ]]; then
    export FIBER_BOOTSTRAP="file:$folder/$index.bootstrap"
fi

program=(
    'java'
    '-Xmx1024m'
    '-XX:ActiveProcessorCount=1'
    '-cp'
    '/home/me/app.jar'
    'example.Main'
)

# run <command>: runs the program, and the command when all are asked to end.
run() {
    asked=-
    child=
    trap "asked=asked; $1" TERM
    "${program[@]}" </dev/null &
    child=$!
    if [[ $asked == asked ]]; then
        kill -TERM "$child"
    fi
    tell begun "$host"
    guard &
    guard=$!
    # Else bash would say at its end that it was killed.
    disown "$guard"
    code_of "$child" TERM
    kill -KILL "$guard"
    tell ended "$code $asked"
    exit "$code"
}

# When the session's files are gone, its end could not be told by Slurm: this process ends, too.
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

# A signal interrupts wait, which may report it late, instead of the exit code. What it says counts when the process is gone and
# the signal cannot come.
code_of() {
    while
        wait "$1"
        kill -0 "$1" 2>/dev/null
    do :; done
    trap '' "$2"
    wait "$1"
    wait "$1"
    code=$?
}

# Of a step the request to end may come to this shell alone (proctrack/cgroup), of a job it comes to every process.
pass_on() {
    [[ -z $child ]] || kill -TERM "$child" 2>/dev/null
}
if [[ ${1-} ]]; then
    run pass_on
fi
# Two shells, each with one signal: of two that come at the same moment the wait of bash loses one. This one takes Slurm's
# notice, which no step gets, the other one the request to end.
trap : TERM
run : &
trap '' TERM
code_of $! USR1
exit "$code"
