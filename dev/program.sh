# SPDX-License-Identifier: Apache-2.0
#
# Sourced by ./example, ./benchmark, ./simulate and ./fiber, which run in the root: builds a module once and sets $java.

fail() {
    echo "$1" >&2
    exit 1
}

java=java
if [[ -n "${JAVA_HOME:-}" ]]; then
    java="$JAVA_HOME/bin/java"
fi
command -v "$java" >/dev/null ||
    fail "No Java found ($java). Install a JDK, version 17 or later, and put it on the PATH or set JAVA_HOME."

need_maven() {
    command -v mvn >/dev/null ||
        fail "No Maven found (mvn). Install Apache Maven, version 3.8.7 or later, and put it on the PATH."
    "$java" -version 2>&1 | grep -Eq 'version "(1[7-9]|[2-9][0-9])' ||
        fail "Java 17 or later is needed; $java is: $("$java" -version 2>&1 | head -n 1)"
    "${java%java}javac" -version >/dev/null 2>&1 ||
        fail "A JDK is needed to build; $java has no javac beside it. Install a JDK, version 17 or later."
}

# Builds without the checks of the code, into target/quick; tells each module: quick_build ARGUMENTS OF MAVEN...
quick_build() {
    MAVEN_OPTS="-Xmx768m ${MAVEN_OPTS:-}" mvn -B -ntp -Dstyle.color=never -Pquick "$@" 2>&1 |
        awk '{ gsub(/\033\[[0-9;]*m/, "") }
             /^\[INFO\] Building .*\[[0-9]+\/[0-9]+\]$/ { sub(/^\[INFO\] Building /, ""); print "  " $0; fflush(); next }
             /^$|^\[(INFO|WARNING)\]/ { next }
             { print; fflush() }' >&2 ||
        fail "The build failed: see [ERROR] above."
}

# Builds the jars of a module and of what it needs, unless no source is newer: build_once MODULE [MORE MODULES THAT IT NEEDS]
build_once() {
    local module=$1
    local stamp="$module/target/quick/built"
    local sources=(pom.xml)
    local each
    for each in fiber-spi fiber-api fiber-runtime transport-aeron transport-socket backend-support backend-local "$@"; do
        sources+=("$each/pom.xml")
        [[ ! -d "$each/src/main" ]] || sources+=("$each/src/main")
    done
    if [[ -e "$stamp" && -z "$(find "${sources[@]}" -newer "$stamp" -print -quit)" ]]; then
        return
    fi

    need_maven
    echo "Building $module, which may take some minutes; later calls start at once." >&2
    mkdir -p "$module/target/quick"
    touch "$stamp.new"
    # A jar of an earlier version would stay on the class path.
    rm -rf "$module"/target/quick/lib{,-aeron}
    quick_build -Dmaven.test.skip=true -pl "$module" -am package
    mv "$stamp.new" "$stamp"
}

# Compiles a module with its tests, unless no source is newer, and writes their class path: build_tests_once MODULE
build_tests_once() {
    local module=$1
    local path="$module/target/quick/test-path"
    local sources=(pom.xml {fiber-spi,fiber-api,fiber-runtime,transport-aeron,transport-socket,backend-support,backend-local}/src/main "$module/pom.xml" "$module/src")
    if [[ -e "$path" && -z "$(find "${sources[@]}" -newer "$path" -print -quit)" ]]; then
        return
    fi

    need_maven
    echo "Building the tests of $module; later calls start at once." >&2
    mkdir -p "$module/target/quick"
    # Modules write it one after the other; the last one is the one that was asked for.
    quick_build -pl "$module" -am test-compile org.apache.maven.plugins:maven-dependency-plugin:3.11.0:build-classpath \
        -Dmdep.outputFile="$PWD/$path.new"
    mv "$path.new" "$path"
}
