# SPDX-License-Identifier: Apache-2.0
#
# Sourced by ./test, which runs in the root: which tests can tell that files have changed.

# changed_since [REV]: sets $changed_arguments, those of Maven, empty when nothing has changed; says on standard error what it found.
changed_since() {
    local revision=${1:-} files
    if [[ -z "$revision" ]]; then
        revision=$(git merge-base HEAD main 2>/dev/null || git rev-parse HEAD)
    elif ! git rev-parse --quiet --verify "$revision^{commit}" >/dev/null; then
        echo "There is no revision '$revision' (from --changed); git log shows those that there are." >&2
        exit 2
    fi
    files=$(git diff --name-only --no-renames "$revision" && git ls-files --others --exclude-standard)
    changed_arguments=()
    if [[ -z "$files" ]]; then
        echo "Nothing has changed since $revision." >&2
        return
    fi

    local file module everything= pages=
    local -A chosen=()
    while read -r file; do
        module=$(module_of "$file")
        if [[ -n "$module" ]]; then
            chosen[$module]=yes
        elif is_page "$file"; then
            pages=yes
        elif is_script "$file"; then
            # Its tests run them.
            chosen[examples]=yes
        else
            echo "All modules are tested: $file has changed, which belongs to none." >&2
            everything=yes
        fi
    done <<<"$files"
    if [[ -n "$everything" ]]; then
        # An argument that says nothing.
        changed_arguments=(-Dfiber.test.changed=all)
        return
    fi

    add_dependents
    local tests its
    tests=$(tests_of Test "$(documentation "$pages")" "${!chosen[@]}")
    its=$(tests_of IT "" "${!chosen[@]}")
    local modules=("${!chosen[@]}")
    if [[ -n "$pages" ]]; then
        modules+=($(documentation yes | sed 's|/src/test/.*||'))
    fi
    echo "Tested: $(printf '%s\n' ${chosen[@]+"${!chosen[@]}"} ${pages:+documentation} | sort | paste -sd' ')" >&2
    # Modules that those need are compiled; none of their tests has such a name.
    changed_arguments=(-pl "$(printf '%s\n' "${modules[@]}" | sort -u | paste -sd,)" -am "-Dtest=${tests:-none}" "-Dit.test=${its:-none}")
    changed_arguments+=(-Dsurefire.failIfNoSpecifiedTests=false -Dfailsafe.failIfNoSpecifiedTests=false)
}

# The module that a file belongs to, empty for none: module_of FILE
module_of() {
    local directory=$1
    while [[ "$directory" == */* ]]; do
        directory=${directory%/*}
        # Projects inside a module are built by its tests, as those of examples, or by a profile.
        if [[ -f "$directory/pom.xml" && "$directory" != */* ]]; then
            echo "$directory"
            return
        fi
    done
}

is_page() {
    [[ "$1" == docs/* || "$1" == *.md || "$1" == LICENSE || "$1" == NOTICE ]]
}

is_script() {
    [[ "$1" == test || "$1" == example || "$1" == fiber || "$1" == simulate || "$1" == benchmark || "$1" == dev/* || "$1" == .ci/* ||
        "$1" == .gitignore || "$1" == .editorconfig ]]
}

# Adds to $chosen what depends on it, at first or second hand, also for tests alone.
add_dependents() {
    local pom module each more=yes
    while [[ -n "$more" ]]; do
        more=
        for pom in ./*/pom.xml; do
            module=$(basename "$(dirname "$pom")")
            [[ -z "${chosen[$module]:-}" ]] || continue
            for each in "${!chosen[@]}"; do
                # Above are its parent's name and its own.
                if sed -n '/<dependencies>/,$p' "$pom" | grep -q "<artifactId>$(artifact_of "$each")</artifactId>"; then
                    chosen[$module]=yes
                    more=yes
                    break
                fi
            done
        done
    done
}

artifact_of() {
    sed '/<parent>/,/<\/parent>/d' "$1/pom.xml" | grep -o '<artifactId>[^<]*' | sed -n '1s/.*>//p'
}

# Files of tests that read the pages: documentation yes
documentation() {
    [[ -z "$1" ]] || { grep -rl --include='*.java' '@Tag("documentation")' ./*/src/test || true; } | sed 's|^\./||'
}

# Classes of tests as Maven wants them named: tests_of Test|IT FILES MODULE...
tests_of() {
    local kind=$1 files=$2 module
    shift 2
    {
        for module in "$@"; do
            [[ ! -d "$module/src/test/java" ]] || find "$module/src/test/java" -name "*$kind.java"
        done
        [[ -z "$files" ]] || echo "$files"
    } | sed 's|.*/src/test/java/||; s|\.java$||' | sort -u | paste -sd,
}
