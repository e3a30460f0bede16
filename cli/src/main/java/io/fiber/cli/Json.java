// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import java.util.Collection;
import java.util.Iterator;
import java.util.Map;

/** Writes JSON from maps, collections, numbers and booleans; other values are written as their text. */
public final class Json {

    private static final int FIRST_PRINTABLE = 0x20;

    private Json() {}

    /** Returns the JSON text of a value. */
    public static String of(Object value) {
        StringBuilder text = new StringBuilder();
        append(value, text);
        return text.toString();
    }

    private static void append(Object value, StringBuilder text) {
        if (value instanceof Map<?, ?> map) {
            text.append('{');
            for (Iterator<? extends Map.Entry<?, ?>> entries = map.entrySet().iterator(); entries.hasNext(); ) {
                Map.Entry<?, ?> entry = entries.next();
                appendString(String.valueOf(entry.getKey()), text);
                text.append(':');
                append(entry.getValue(), text);
                text.append(entries.hasNext() ? "," : "");
            }
            text.append('}');
        } else if (value instanceof Collection<?> collection) {
            text.append('[');
            for (Iterator<?> elements = collection.iterator(); elements.hasNext(); ) {
                append(elements.next(), text);
                text.append(elements.hasNext() ? "," : "");
            }
            text.append(']');
        } else if (value instanceof Number || value instanceof Boolean) {
            text.append(value);
        } else {
            appendString(value.toString(), text);
        }
    }

    private static void appendString(String value, StringBuilder text) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"', '\\' -> text.append('\\').append(c);
                case '\n' -> text.append("\\n");
                case '\r' -> text.append("\\r");
                case '\t' -> text.append("\\t");
                default -> text.append(c < FIRST_PRINTABLE ? String.format("\\u%04x", (int) c) : String.valueOf(c));
            }
        }
        text.append('"');
    }
}
