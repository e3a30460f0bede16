// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import java.io.File;
import java.util.List;
import java.util.Optional;

/** What a class-data archive depends on: all of it, for comparison and for a person who looks into the cache. */
record ArchiveKey(String description) {

    /** Options that change memory or properties; an archive fits whatever they are. */
    private static final List<String> IRRELEVANT = List.of("-Xmx", "-Xms", "-Xmn", "-Xss", "-D");

    /** Options by which the user has a mind of their own about archives. */
    private static final List<String> CONTRARY =
            List.of("-Xshare", "-XX:SharedArchiveFile", "-XX:ArchiveClassesAtExit", "-XX:+AutoCreate", "-XX:AOT");

    /** Returns the key of a launch; empty if no archive can be made for it, or the launch names its own. */
    static Optional<ArchiveKey> of(ClassDataArchive.Launch launch) {
        if (launch.jars().isEmpty()) {
            return Optional.empty();
        }
        String home = System.getProperty("java.home");
        StringBuilder text = new StringBuilder("home ").append(home).append("\njvm ");
        text.append(System.getProperty("java.vm.name")).append(' ');
        text.append(System.getProperty("java.vm.version")).append(' ');
        text.append(System.getProperty("java.vm.vendor")).append('\n');
        // The archive lies on top of the JDK's own.
        appendFile(text, new File(home, "lib/server/classes.jsa"));
        for (String option : launch.jvmOptions()) {
            if (startsWithOneOf(option, CONTRARY)) {
                return Optional.empty();
            }
            if (!startsWithOneOf(option, IRRELEVANT)) {
                text.append("option ").append(option).append('\n');
            }
        }
        for (String jar : launch.jars()) {
            appendFile(text, new File(jar));
        }
        return Optional.of(new ArchiveKey(text.toString()));
    }

    private static void appendFile(StringBuilder text, File file) {
        text.append("file ").append(file.getPath()).append(' ').append(file.length());
        text.append(' ').append(file.lastModified()).append('\n');
    }

    private static boolean startsWithOneOf(String option, List<String> prefixes) {
        for (String prefix : prefixes) {
            if (option.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the name of the files of this key: a hash, whose collisions the description uncovers. */
    String fileName() {
        return Integer.toHexString(description.hashCode());
    }
}
