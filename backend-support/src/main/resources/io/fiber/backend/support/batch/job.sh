#!/bin/bash
# Fiber for Java, session @session@. Each job of the submission runs this script, and one process.
@directives@

folder=@folder@
news=@news@
index=@index@
host=@host@

# A file that appears in one piece tells the session what has happened.
tell() {
    printf '%s\n' "$2" >|"$folder/$index.$1" && mv "$folder/$index.$1" "$news-$index-$1"
}

# The system's word that it will end the job soon: before its time is over, or another one needs its place. It comes to this shell
# alone.
trap 'tell leaving -' USR1@restarts@

# Without its folder the session is over.@second@
if [[ ! -d $folder || -e $folder/$index.cancelled ]] || ! @claimed@; then
    exit @over@
fi
@output@
cd -- @directory@ || { tell ended '126 -'; exit @nowhere@; }
unset FIBER_BOOTSTRAP
if [[ -e $folder/$index.bootstrap ]]; then
    export FIBER_BOOTSTRAP="file:$folder/$index.bootstrap"
fi
@prologue@
# A prologue may have a shell end at each code that is not 0, or forget a code once it was told.
set +e +o posix
trap - ERR@visible@
program=(
@program@
)

# Removes what the program's transport keeps in shared memory, and leaves there when it is killed: of its own, or below that of
# the process that it dialled. Processes that live may have theirs below it. A shell of its own, as a prologue may change what
# patterns do.
clear_memory() (
    shopt -u failglob nullglob
    set +f
    all="/dev/shm/fiber-$EUID-@session@-"
    own="fiber-$EUID-@session@-$child"
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
    while sleep 4; do@overdue@
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
@begin@asked=-
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
    if [[ $asked == asked@noticed@ ]]; then
        kill -TERM "$child" 2>/dev/null
    fi
    tell begun "$host"
    guard 9<&- &
    guard=$!
    # Without this, bash would report that it was killed.
    disown "$guard"
    # A signal that comes just before read is handled when read has timed out. What was read until then is the beginning of the code.
    while
        read -r -t @look@ part <&9
        status=$?
        code+=$part@marked@
        ((status > 128))
    do :; done
    trap 'asked=asked' TERM
    kill -KILL "$guard"
    clear_memory
fi
@finish@
exit @code@
