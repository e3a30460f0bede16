// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.config;

import io.fiber.spec.Volume;
import io.fiber.spi.OptionType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The form of a key's value: a type, and for some keys a narrower range. */
enum ValueForm {
    TEXT(OptionType.TEXT),
    PATH(OptionType.PATH),
    SWITCH(OptionType.SWITCH),
    DURATION(OptionType.DURATION),
    POSITIVE_DURATION(OptionType.DURATION, "a duration above zero with a unit, for example 500ms, 20s or 2h"),
    COUNT(OptionType.INTEGER, "a whole number from 0 to 1000000"),
    POSITIVE_COUNT(OptionType.INTEGER, "a whole number from 1 to 1000000"),
    OUTPUT(OptionType.TEXT, "one of console, files, none"),
    ON_OFF_AUTO(OptionType.TEXT, "one of auto, on, off"),
    DEBUG(OptionType.TEXT, "one of false, true, suspend"),
    LOG_LEVEL(OptionType.TEXT, "one of off, error, warning, info, debug, trace"),
    LOG_FILE(
            OptionType.PATH,
            "a path with %n for the name or %p for the pid of the process in its last part, for example logs/%n.log"),
    LOG_SIZE(OptionType.SIZE, "a size of 4k or more, for example 10m"),
    VOLUMES(OptionType.LIST, "volumes separated by commas, each NAME:PATH or NAME:PATH:ro, for example data:/data:ro"),
    CLASSES(
            OptionType.LIST,
            "names of classes, or of packages followed by .*, separated by commas, for example javax.management.*"),
    JVM_OPTIONS(
            OptionType.LIST,
            "JVM options separated by commas, each beginning with - or @ and without spaces, for example -Xmx2g,-Da=b");

    private static final long LARGEST_COUNT = 1_000_000;
    private static final long SMALLEST_LOG_BYTES = 4096;
    private static final Set<String> LOG_LEVELS = Set.of("off", "error", "warning", "info", "debug", "trace");

    private final OptionType type;
    private final String expectation;

    ValueForm(OptionType type) {
        this(type, type.expectation());
    }

    ValueForm(OptionType type, String expectation) {
        this.type = type;
        this.expectation = expectation;
    }

    OptionType type() {
        return type;
    }

    String expectation() {
        return expectation;
    }

    boolean accepts(String text) {
        return type.accepts(text)
                && switch (this) {
                    case TEXT, PATH, SWITCH, DURATION -> true;
                    case POSITIVE_DURATION -> !OptionType.parseDuration(text).isZero();
                    case COUNT -> isBetween(0, Long.parseLong(text), LARGEST_COUNT);
                    case POSITIVE_COUNT -> isBetween(1, Long.parseLong(text), LARGEST_COUNT);
                    case OUTPUT -> text.equals("console") || text.equals("files") || text.equals("none");
                    case ON_OFF_AUTO -> text.equals("auto") || text.equals("on") || text.equals("off");
                    case DEBUG -> Debugging.isValue(text);
                    case LOG_LEVEL -> LOG_LEVELS.contains(text.toLowerCase(Locale.ROOT));
                    case LOG_FILE -> namesEachProcess(text);
                    case LOG_SIZE -> OptionType.parseSize(text) >= SMALLEST_LOG_BYTES;
                    case VOLUMES -> split(text).stream().allMatch(ValueForm::isVolume);
                    case CLASSES -> split(text).stream().allMatch(ValueForm::isClassOrPackage);
                    case JVM_OPTIONS -> isJvmOptions(text);
                };
    }

    /**
     * Splits a list at its commas. A JVM option may itself contain commas, as {@code -Xlog:gc,safepoint} does. Every
     * option begins with {@code -} or {@code @}, so any other part belongs to the one before it.
     */
    List<String> split(String text) {
        List<String> entries = new ArrayList<>();
        int start = 0;
        while (start <= text.length()) {
            int comma = text.indexOf(',', start);
            int end = comma < 0 ? text.length() : comma;
            String entry = text.substring(start, end).strip();
            if (this == JVM_OPTIONS && !entries.isEmpty() && !startsOption(entry) && !entry.isEmpty()) {
                int last = entries.size() - 1;
                entries.set(last, entries.get(last) + "," + entry);
            } else if (!entry.isEmpty()) {
                entries.add(entry);
            }
            start = end + 1;
        }
        return List.copyOf(entries);
    }

    private static boolean isBetween(long smallest, long number, long largest) {
        return number >= smallest && number <= largest;
    }

    private static boolean namesEachProcess(String text) {
        String name = text.substring(text.lastIndexOf('/') + 1).replace("%%", "");
        return name.contains("%n") || name.contains("%p");
    }

    private static boolean isClassOrPackage(String text) {
        String name = text.endsWith(".*") ? text.substring(0, text.length() - 2) : text;
        return name.matches("[\\p{L}\\d_$]+(\\.[\\p{L}\\d_$]+)*");
    }

    private static boolean isVolume(String text) {
        try {
            Volume.parse(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private boolean isJvmOptions(String text) {
        for (String option : split(text)) {
            if (!startsOption(option) || option.indexOf(' ') >= 0) {
                return false;
            }
        }
        return true;
    }

    private static boolean startsOption(String entry) {
        return entry.startsWith("-") || entry.startsWith("@");
    }
}
