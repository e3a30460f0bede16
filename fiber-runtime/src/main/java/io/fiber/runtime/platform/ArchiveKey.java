// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import java.io.File;
import java.util.List;
import java.util.Optional;

/** Everything that a class-data archive depends on, as text for comparison and for people who look into the cache. */
record ArchiveKey(String description) {

    /** Options that change memory or properties; an archive fits in any case. */
    private static final List<String> IRRELEVANT = List.of("-Xmx", "-Xms", "-Xmn", "-Xss", "-D");

    /** Options with which users control archives themselves. */
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
        // The archive is based on the JDK's own archive.
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

    /** Returns the file name of this key: a hash. The description reveals collisions. */
    String fileName() {
        return Integer.toHexString(description.hashCode());
    }
}
