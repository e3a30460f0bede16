// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** The {@code key=value} pairs of an address, separated by semicolons. */
final class AddressFields {

    private final Map<String, String> values = new HashMap<>();

    /**
     * Parses the pairs.
     *
     * @throws IllegalArgumentException if a part between semicolons is not a pair
     */
    AddressFields(String text) {
        int start = 0;
        while (start < text.length()) {
            int end = text.indexOf(';', start);
            end = end < 0 ? text.length() : end;
            int equals = text.indexOf('=', start);
            if (equals < 0 || equals > end) {
                throw new IllegalArgumentException("'" + text.substring(start, end) + "' is not of the form key=value");
            }
            values.put(text.substring(start, equals), text.substring(equals + 1, end));
            start = end + 1;
        }
    }

    String text(String key) {
        return decode(raw(key));
    }

    String textOr(String key, String otherwise) {
        return values.containsKey(key) ? text(key) : otherwise;
    }

    int number(String key) {
        return Integer.parseInt(raw(key));
    }

    long longNumber(String key) {
        return Long.parseLong(raw(key));
    }

    int port(String key) {
        int port = number(key);
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("'" + key + "' is " + port + ", which is not a port");
        }
        return port;
    }

    StreamId stream(String key) {
        return StreamId.parse(raw(key));
    }

    private String raw(String key) {
        String value = values.get(key);
        if (value == null) {
            throw new IllegalArgumentException("'" + key + "' is missing");
        }
        return value;
    }

    /** Encodes characters that are not plain as {@code %XX} of their UTF-8 bytes. */
    static String encode(String text) {
        StringBuilder encoded = new StringBuilder(text.length());
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            if (b <= ' ' || b == 0x7f || b == '%' || b == ';') {
                encoded.append('%');
                encoded.append(Character.forDigit((b >> 4) & 15, 16)).append(Character.forDigit(b & 15, 16));
            } else {
                encoded.append((char) b);
            }
        }
        return encoded.toString();
    }

    /** A plus sign stands for itself here, not for a blank. */
    private static String decode(String text) {
        return text.indexOf('%') < 0 ? text : URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
