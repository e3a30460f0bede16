// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A secret of ASCII letters that is looked for in texts: as it is, backwards, in Base64 (both alphabets), Base32, hexadecimal
 * digits with or without signs between them, and lists of decimal numbers; each from any place of a longer encoded text.
 * Immutable.
 */
record SecretForms(String secret) {

    private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/_-]{16,}");
    private static final Pattern BASE32 = Pattern.compile("[A-Za-z2-7]{16,}");
    private static final Pattern HEX = Pattern.compile("(?:(?:0x|\\\\x|%)?[0-9A-Fa-f]{2}[\\s:,;-]{0,2}){16,}");
    private static final Pattern DECIMALS = Pattern.compile("(?:\\d{1,3}[\\s,;]{1,2}){15,}\\d{1,3}");
    private static final String BASE32_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    private static final int BITS_OF_BYTE = 8;
    private static final int BITS_OF_BASE32 = 5;
    private static final int HEX_RADIX = 16;

    /** Tells whether the secret can be read in a text. */
    boolean areIn(String text) {
        String reversed = new StringBuilder(text).reverse().toString();
        return Stream.of(text, reversed)
                .anyMatch(each -> each.contains(secret) || decoded(each).anyMatch(this::isIn));
    }

    private boolean isIn(byte[] decoded) {
        return new String(decoded, StandardCharsets.ISO_8859_1).contains(secret);
    }

    private static Stream<byte[]> decoded(String text) {
        return Stream.of(
                        shifted(text, BASE64, 4, SecretForms::ofBase64),
                        shifted(text, BASE32, BITS_OF_BYTE, SecretForms::ofBase32),
                        shifted(text, HEX, 2, SecretForms::ofHex),
                        shifted(text, DECIMALS, 1, SecretForms::ofDecimals))
                .flatMap(each -> each);
    }

    /** Decodes each run of an encoding's letters from each place where a group of letters may begin. */
    private static Stream<byte[]> shifted(String text, Pattern run, int places, Function<String, byte[]> decoder) {
        List<String> runs = run.matcher(text).results().map(MatchResult::group).toList();
        return runs.stream()
                .flatMap(each -> IntStream.range(0, places).mapToObj(place -> decoder.apply(each.substring(place))));
    }

    private static byte[] ofBase64(String run) {
        String standard = run.replace('-', '+').replace('_', '/');
        // The last group may lack its padding; one digit alone is no group.
        return Base64.getDecoder()
                .decode(standard.substring(0, standard.length() - (standard.length() % 4 == 1 ? 1 : 0)));
    }

    private static byte[] ofBase32(String run) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int bits = 0;
        int count = 0;
        for (char digit : run.toUpperCase(java.util.Locale.ROOT).toCharArray()) {
            bits = bits << BITS_OF_BASE32 | BASE32_ALPHABET.indexOf(digit);
            count += BITS_OF_BASE32;
            if (count >= BITS_OF_BYTE) {
                count -= BITS_OF_BYTE;
                bytes.write(bits >> count);
            }
        }
        return bytes.toByteArray();
    }

    private static byte[] ofHex(String run) {
        String digits = run.replaceAll("0x|\\\\x|[^0-9A-Fa-f]", "");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int at = 0; at + 2 <= digits.length(); at += 2) {
            bytes.write(Integer.parseInt(digits.substring(at, at + 2), HEX_RADIX));
        }
        return bytes.toByteArray();
    }

    private static byte[] ofDecimals(String run) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (String number : run.split("[^0-9]+", -1)) {
            if (!number.isEmpty()) {
                bytes.write(Integer.parseInt(number));
            }
        }
        return bytes.toByteArray();
    }
}
