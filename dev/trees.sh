# SPDX-License-Identifier: Apache-2.0
#
# Sourced by dev/docker/up and dev/kubernetes/up, which define fail: what is in the images of the tests, from files of this machine.

find_jdk() {
    jdk=${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v javac || echo /nowhere)")")")}
    [[ -x "$jdk/bin/jlink" ]] || fail 3 "There is no jlink in '$jdk' (from JAVA_HOME or javac on the PATH); a JDK has it."
}

# Images are made anew when their edition changes: with this program, or with the JDK.
tree_edition() {
    cksum <"${BASH_SOURCE[0]}" | cut -d' ' -f1
}

java_edition() {
    echo "$(tree_edition)-$("$jdk/bin/java" -XshowSettings:properties -version 2>&1 |
        sed -n 's/^ *java.runtime.version = //p' | tr -c 'A-Za-z0-9.\n' -)"
}

# put FILE TREE: copies a file of this machine to the same place in a tree.
put() {
    mkdir -p "$2$(dirname "$1")"
    cp -L "$1" "$2$1"
}

make_bare_tree() {
    mkdir -p "$1"/{bin,etc,tmp,proc,sys,dev}
    chmod 1777 "$1/tmp"
    cp "$(command -v busybox)" "$1/bin/busybox"
    local tool
    for tool in sh ls cat id true sleep kill; do
        ln -s busybox "$1/bin/$tool"
    done
    echo 'root:x:0:0:root:/:/bin/sh' >"$1/etc/passwd"
    echo 'root:x:0:' >"$1/etc/group"
    echo 'hosts: files dns' >"$1/etc/nsswitch.conf"
}

make_java_tree() {
    make_bare_tree "$1"
    "$jdk/bin/jlink" --add-modules java.se,jdk.unsupported,jdk.management,jdk.jfr,jdk.zipfs,jdk.net,jdk.crypto.ec,jdk.httpserver \
        --strip-debug --no-header-files --no-man-pages --output "$1/opt/java"
    local file
    # Every library that a part of the JRE is linked with, and what resolves names.
    {
        find "$1/opt/java" -type f \( -name '*.so' -o -perm -100 \) -exec ldd {} + 2>/dev/null |
            grep -oE '/[^ ]+\.so[^ ]*' | grep -v "^$1" || true
        ls /lib/*-linux-gnu*/libnss_{files,dns}.so.2 /lib/*-linux-gnu*/libresolv.so.2
    } | sort -u | while read -r file; do
        put "$file" "$1"
    done
}
