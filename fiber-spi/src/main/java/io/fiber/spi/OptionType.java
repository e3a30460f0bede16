// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi;

import java.time.Duration;
import java.util.Locale;

/** The type of an option: which texts are valid, and how they are parsed. */
public enum OptionType {
    /** Any text. */
    TEXT("any text"),
    /** A whole number of 64 bits. */
    INTEGER("a whole number, for example 8"),
    /** {@code true} or {@code false}, in upper or lower case. */
    SWITCH("true or false"),
    /** A number with a unit: {@code ns us ms s m h d}. */
    DURATION("a duration with a unit, for example 500ms, 20s or 2h"),
    /** A number of bytes, with {@code k m g t} for powers of 1024. */
    SIZE("a size in bytes, for example 512m or 4g"),
    /** A path of this host's file system. */
    PATH("a path"),
    /** Texts separated by commas; blanks around them are ignored. */
    LIST("texts separated by commas");

    private final String expectation;

    OptionType(String expectation) {
        this.expectation = expectation;
    }

    /** Returns a description of valid values, for the text of an error. */
    public String expectation() {
        return expectation;
    }

    /** Returns whether {@code text} is valid for this type. */
    public boolean accepts(String text) {
        try {
            switch (this) {
                case INTEGER -> Long.parseLong(text.trim());
                case SWITCH -> parseSwitch(text);
                case DURATION -> parseDuration(text);
                case SIZE -> parseSize(text);
                case TEXT, PATH, LIST -> {
                    return !text.isBlank();
                }
            }
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /**
     * Parses {@code true} or {@code false}.
     *
     * @throws IllegalArgumentException if the text is neither
     */
    public static boolean parseSwitch(String text) {
        return switch (text.trim().toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("'" + text + "' is not " + SWITCH.expectation + ".");
        };
    }

    /**
     * Parses a duration such as {@code 500ms}; negative ones are rejected.
     *
     * @throws IllegalArgumentException if the text is not a duration, or longer than 292 years
     */
    public static Duration parseDuration(String text) {
        String trimmed = text.trim().toLowerCase(Locale.ROOT);
        int digits = leadingDigits(trimmed);
        try {
            long amount = Long.parseLong(trimmed.substring(0, digits));
            Duration duration = switch (trimmed.substring(digits).trim()) {
                case "ns" -> Duration.ofNanos(amount);
                case "us" -> Duration.ofNanos(Math.multiplyExact(amount, 1_000L));
                case "ms" -> Duration.ofMillis(amount);
                case "s" -> Duration.ofSeconds(amount);
                case "m" -> Duration.ofMinutes(amount);
                case "h" -> Duration.ofHours(amount);
                case "d" -> Duration.ofDays(amount);
                default -> throw new NumberFormatException();
            };
            return Duration.ofNanos(duration.toNanos());
        } catch (NumberFormatException | ArithmeticException e) {
            throw new IllegalArgumentException("'" + text + "' is not " + DURATION.expectation + ".", e);
        }
    }

    /**
     * Parses a size such as {@code 4g} and returns it in bytes. {@code k m g t}, with or without a trailing {@code b}
     * or {@code ib}, are powers of 1024.
     *
     * @throws IllegalArgumentException if the text is not a size, or 8 EiB or more
     */
    public static long parseSize(String text) {
        String trimmed = text.trim().toLowerCase(Locale.ROOT);
        int digits = leadingDigits(trimmed);
        try {
            long amount = Long.parseLong(trimmed.substring(0, digits));
            int shift = switch (trimmed.substring(digits).trim()) {
                case "", "b" -> 0;
                case "k", "kb", "kib" -> 10;
                case "m", "mb", "mib" -> 20;
                case "g", "gb", "gib" -> 30;
                case "t", "tb", "tib" -> 40;
                default -> throw new NumberFormatException();
            };
            return Math.multiplyExact(amount, 1L << shift);
        } catch (NumberFormatException | ArithmeticException e) {
            throw new IllegalArgumentException("'" + text + "' is not " + SIZE.expectation + ".", e);
        }
    }

    private static int leadingDigits(String text) {
        int digits = 0;
        while (digits < text.length() && Character.isDigit(text.charAt(digits))) {
            digits++;
        }
        return digits;
    }
}
