// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a class-data archive depends on.
 *
 * @param description all of it, for comparison and for a person who looks into the cache
 * @param jars the entries of the class path that can be archived: those in front of the first directory
 */
record ArchiveKey(String description, List<String> jars) {

    /** Options that change memory or properties; an archive fits whatever they are. */
    private static final List<String> IRRELEVANT = List.of("-Xmx", "-Xms", "-Xmn", "-Xss", "-D");

    /** Options by which the user has a mind of their own about archives. */
    private static final List<String> CONTRARY =
            List.of("-Xshare", "-XX:SharedArchiveFile", "-XX:ArchiveClassesAtExit", "-XX:+AutoCreate", "-XX:AOT");

    /** Returns the key of a launch; empty when no archive can be made for it, or the launch names its own. */
    static Optional<ArchiveKey> of(ClassDataArchive.Launch launch) throws IOException {
        String jvm = describeJvm(launch.java());
        if (jvm.isEmpty()) {
            return Optional.empty();
        }
        StringBuilder text = new StringBuilder(jvm);
        for (String option : launch.jvmOptions()) {
            if (startsWithOneOf(option, CONTRARY)) {
                return Optional.empty();
            }
            if (!startsWithOneOf(option, IRRELEVANT)) {
                text.append("option ").append(option).append('\n');
            }
        }
        List<String> jars = new ArrayList<>();
        for (String entry : launch.classPath()) {
            File file = new File(entry);
            if (!file.isFile()) {
                break;
            }
            jars.add(entry);
            text.append("jar ").append(entry).append(' ').append(file.length());
            text.append(' ').append(file.lastModified()).append('\n');
        }
        return jars.isEmpty() ? Optional.empty() : Optional.of(new ArchiveKey(text.toString(), List.copyOf(jars)));
    }

    private static boolean startsWithOneOf(String option, List<String> prefixes) {
        for (String prefix : prefixes) {
            if (option.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    /** Returns lines that differ for every build of a JVM; empty when they cannot be found out. */
    private static String describeJvm(Path java) throws IOException {
        Path bin = java.toAbsolutePath().getParent();
        Path home = bin == null ? null : bin.getParent();
        if (home == null) {
            return "";
        }
        String place = "home " + home + "\n";
        if (home.equals(Path.of(System.getProperty("java.home")))) {
            return place + "jvm " + System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version")
                    + " " + System.getProperty("java.vm.vendor") + "\n";
        }
        Path release = java.toRealPath().resolveSibling("../release").normalize();
        return Files.isRegularFile(release) ? place + "release " + Files.readString(release) + "\n" : "";
    }

    /** Returns the name of the files of this key: a hash, whose collisions the description uncovers. */
    String fileName() {
        return Integer.toHexString(description.hashCode());
    }
}
