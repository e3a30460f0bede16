// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.backend;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Finds a secret of ASCII letters in texts: as it is, in Base64 (both alphabets), Base32, hexadecimal digits with or
 * without separators, and lists of decimal numbers. Each may start at any place of a longer encoded text, and may be
 * reversed. The forms are created once, so that searching a text costs little. Immutable.
 */
final class SecretForms {

    private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    private static final String BOTH_CASES = LETTERS + "abcdefghijklmnopqrstuvwxyz0123456789";
    private static final List<String> BASE64 = List.of(BOTH_CASES + "+/", BOTH_CASES + "-_");
    private static final List<String> BASE32 = List.of(LETTERS + "234567", "abcdefghijklmnopqrstuvwxyz234567");
    private static final String HEX = "0123456789abcdef";

    private static final String BETWEEN_NUMBERS = " \t\r\n,;";
    private static final String BETWEEN_HEX_DIGITS = BETWEEN_NUMBERS + ":-%\\x";
    private static final char OTHER = '|';

    private final Set<String> words = new LinkedHashSet<>();
    private final Set<String> hexDigits = new LinkedHashSet<>();
    private final Set<String> numbers = new LinkedHashSet<>();

    SecretForms(String secret) {
        for (String each : List.of(secret, reversed(secret))) {
            byte[] bytes = each.getBytes(StandardCharsets.US_ASCII);
            words.add(each);
            BASE64.forEach(alphabet -> addEncoded(bytes, 3, alphabet, words));
            BASE32.forEach(alphabet -> addEncoded(bytes, 5, alphabet, words));
            addEncoded(bytes, 1, HEX, hexDigits);
            String list = IntStream.range(0, bytes.length)
                    .mapToObj(i -> Byte.toString(bytes[i]))
                    .collect(Collectors.joining(","));
            numbers.addAll(List.of(list, reversed(list)));
        }
    }

    private static String reversed(String text) {
        return new StringBuilder(text).reverse().toString();
    }

    /** Adds the digits that encode the bytes and nothing else, for each number of bytes before them in a group. */
    private static void addEncoded(byte[] bytes, int bytesOfAGroup, String alphabet, Set<String> forms) {
        int bits = Integer.numberOfTrailingZeros(alphabet.length());
        for (int before = 0; before < bytesOfAGroup; before++) {
            int firstBit = before * Byte.SIZE;
            int first = (firstBit + bits - 1) / bits;
            int end = (firstBit + bytes.length * Byte.SIZE) / bits;
            StringBuilder digits = new StringBuilder();
            for (int digit = first; digit < end; digit++) {
                digits.append(alphabet.charAt(number(bytes, digit * bits - firstBit, bits)));
            }
            forms.addAll(List.of(digits.toString(), reversed(digits.toString())));
        }
    }

    private static int number(byte[] bytes, int firstBit, int bits) {
        int number = 0;
        for (int bit = firstBit; bit < firstBit + bits; bit++) {
            int shift = Byte.SIZE - 1 - bit % Byte.SIZE;
            number = (number << 1) | ((bytes[bit / Byte.SIZE] >> shift) & 1);
        }
        return number;
    }

    /** Returns whether a text contains the secret. */
    boolean areIn(String text) {
        return words.stream().anyMatch(text::contains)
                || hexDigits.stream().anyMatch(hexDigitsOf(text)::contains)
                || numbers.stream().anyMatch(numbersOf(text)::contains);
    }

    /** Returns the hexadecimal digits of a text without what may separate them. */
    private static String hexDigitsOf(String text) {
        StringBuilder digits = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean isPrefix = c == '0' && i + 1 < text.length() && text.charAt(i + 1) == 'x';
            if (!isPrefix && Character.digit(c, HEX.length()) >= 0) {
                digits.append(Character.toLowerCase(c));
            } else if (!isPrefix && BETWEEN_HEX_DIGITS.indexOf(c) < 0) {
                digits.append(OTHER);
            }
        }
        return digits.toString();
    }

    /** Returns the decimal numbers of a text, separated by one comma instead of other characters. */
    private static String numbersOf(String text) {
        StringBuilder list = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= '0' && c <= '9') {
                list.append(c);
            } else if (BETWEEN_NUMBERS.indexOf(c) < 0) {
                list.append(OTHER);
            } else if (!list.isEmpty() && list.charAt(list.length() - 1) != ',') {
                list.append(',');
            }
        }
        return list.toString();
    }
}
