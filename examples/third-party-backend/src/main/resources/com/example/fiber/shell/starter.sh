# SPDX-License-Identifier: Apache-2.0
#
# Runs where the jobs run, and knows a job by its directory. Is told by standard input:
#   start DIRECTORY     runs the file "run" of that directory in a process group of its own
#   SIGNAL DIRECTORY    sends a signal to that group
# and says by standard output:
#   running DIRECTORY
#   ended CODE DIRECTORY
# When the input ends, because the backend is closed or its process was killed, all jobs are ended.

# Starts one job, waits for its end, and ends it by force when the starter says so.
keep() {
    group=
    ending=
    trap 'ending=yes; end' TERM
    setsid sh "$1/run" < /dev/null 3>&1 &
    group=$!
    [ -z "$ending" ] || end
    wait "$group"
    code=$?
    # The trap ended the first wait before its time.
    [ -z "$ending" ] || wait "$group"
    echo "ended $code $1"
}

# The process by itself, too: it may not yet have its group.
end() {
    [ -z "$group" ] || force "$group"
}

# Ends a group by force, and what its processes have started in sessions of their own.
force() {
    others=$(descendants "$1")
    kill -s KILL -- "-$1" "$1" $others 2> /dev/null
}

descendants() {
    for child in $(ps -o pid= --ppid "$1"); do
        echo "$child"
        descendants "$child"
    done
}

while read -r verb directory; do
    case $verb in
        start) keep "$directory" & ;;
        KILL) read -r group < "$directory/group" && force "$group" ;;
        *) read -r group < "$directory/group" && kill -s "$verb" -- "-$group" 2> /dev/null ;;
    esac
    # Takes notice of those who have ended.
    jobs > /dev/null
done

trap '' TERM
kill -s TERM 0
wait
