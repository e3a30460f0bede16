// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Removes those of Fiber's own JVM options that conflict with the user's. If two options concern one thing, a JVM takes
 * the last one. But some options exclude each other, such as collectors, and some forbid what others request, such as
 * heap sizes. So if the user sets a member of such a group, Fiber's own members of it are left out.
 */
final class WorkerOptions {

    private static final String EXTENDED = "-XX:";

    private static final List<String> FIRST_HEAP =
            List.of("-Xms", "-ms", "-XX:InitialHeapSize=", "-XX:MinHeapSize=", "-XX:InitialRAM", "-XX:MinRAMFraction=");
    private static final List<String> GREATEST_HEAP = List.of("-Xmx", "-mx", "-XX:MaxHeapSize=");
    private static final List<String> SHARE_OF_MEMORY =
            List.of("-XX:MaxRAMPercentage=", "-XX:MaxRAMFraction=", "-XX:DefaultMaxRAMFraction=");
    private static final List<String> COMPILE_THRESHOLDS =
            List.of("-XX:CompileThreshold", "-XX:Tier", "-XX:BackEdgeThreshold", "-XX:OnStackReplacePercentage=");
    private static final List<String> CLASS_DATA = List.of(
            "-Xshare",
            "-XX:SharedArchiveFile",
            "-XX:ArchiveClassesAtExit",
            "-XX:SharedClassListFile",
            "-XX:+AutoCreateSharedArchive",
            "-XX:AOT");
    /** A JVM with two debugging agents does not start. */
    private static final List<String> DEBUGGERS = List.of("-agentlib:jdwp", "-Xrunjdwp");

    private static final List<String> PROCESSORS = List.of("-XX:ActiveProcessorCount=");

    /** Selects a collector and heap sizes. */
    private static final String AGGRESSIVE_HEAP = "-XX:+AggressiveHeap";

    private final List<String> users = new ArrayList<>();

    private WorkerOptions(List<String> options) {
        for (String option : options) {
            users.add(option);
            users.addAll(inFile(option));
        }
    }

    /**
     * Returns those of Fiber's options that do not conflict with the user's.
     *
     * @param own Fiber's options in order
     */
    static List<String> beside(List<String> users, List<String> own) {
        if (users.isEmpty()) {
            return own;
        }
        WorkerOptions options = new WorkerOptions(users);
        return own.stream().filter(option -> !options.replace(option)).toList();
    }

    private boolean replace(String own) {
        if (isCollector(own)) {
            return users.stream().anyMatch(WorkerOptions::isCollector) || users.contains(AGGRESSIVE_HEAP);
        }
        if (beginsWithOneOf(own, FIRST_HEAP)) {
            return has(FIRST_HEAP) || users.contains(AGGRESSIVE_HEAP) || isHeapBelow(sizeIn(own));
        }
        if (beginsWithOneOf(own, SHARE_OF_MEMORY)) {
            return has(GREATEST_HEAP) || has(SHARE_OF_MEMORY) || users.contains(AGGRESSIVE_HEAP);
        }
        return isReplaced(own, COMPILE_THRESHOLDS)
                || isReplaced(own, CLASS_DATA)
                || isReplaced(own, PROCESSORS)
                || isReplaced(own, DEBUGGERS);
    }

    private boolean isReplaced(String own, List<String> group) {
        return beginsWithOneOf(own, group) && has(group);
    }

    private boolean has(List<String> group) {
        return users.stream().anyMatch(option -> beginsWithOneOf(option, group));
    }

    private static boolean beginsWithOneOf(String option, List<String> group) {
        return group.stream().anyMatch(option::startsWith);
    }

    /**
     * Returns whether the option switches a collector on or off, such as {@code UseZGC}; {@code
     * UseMaximumCompactionOnSystemGC} does not.
     */
    private static boolean isCollector(String option) {
        return option.startsWith("Use", EXTENDED.length() + 1)
                && option.startsWith(EXTENDED)
                && option.endsWith("GC")
                && !option.endsWith("SystemGC");
    }

    /** Returns whether the maximum heap would be smaller than the initial one, with which a JVM does not start. */
    private boolean isHeapBelow(OptionalLong bytes) {
        for (String option : users) {
            OptionalLong greatest = beginsWithOneOf(option, GREATEST_HEAP) ? sizeIn(option) : OptionalLong.empty();
            if (greatest.isPresent() && bytes.isPresent() && greatest.getAsLong() < bytes.getAsLong()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the number of bytes at the end of an option, such as {@code 8m}; empty if it ends with something else.
     */
    private static OptionalLong sizeIn(String option) {
        int end = option.length();
        char unit = Character.toLowerCase(option.charAt(end - 1));
        int shift = "bkmgt".indexOf(unit) * 10;
        if (shift >= 0) {
            end--;
        }
        int begin = end;
        while (begin > 0 && option.charAt(begin - 1) >= '0' && option.charAt(begin - 1) <= '9') {
            begin--;
        }
        try {
            return OptionalLong.of(Long.parseLong(option.substring(begin, end)) << Math.max(0, shift));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    /**
     * Returns the options in a file that an option names; none if the file cannot be read here, for example because it
     * is on a worker's host.
     */
    private static List<String> inFile(String option) {
        String flags = "-XX:Flags=";
        String path = "";
        for (String beginning : List.of("@", "-XX:VMOptionsFile=", flags)) {
            path = option.startsWith(beginning) ? option.substring(beginning.length()) : path;
        }
        if (path.isEmpty()) {
            return List.of();
        }
        List<String> options = new ArrayList<>();
        try {
            for (String word : Files.readString(Path.of(path)).split("[\\s\"']+", -1)) {
                options.add(option.startsWith(flags) ? EXTENDED + word : word);
            }
        } catch (IOException | InvalidPathException e) {
            return List.of();
        }
        return options;
    }
}
