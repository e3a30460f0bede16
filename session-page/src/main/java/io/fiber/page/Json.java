// SPDX-License-Identifier: Apache-2.0
package io.fiber.page;

import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;

/**
 * Writes records, lists, maps, texts, enums and whole numbers as JSON. A library would have to be the version that the
 * program has on its class path, and old versions know no records.
 */
final class Json {

    private static final int FIRST_PRINTABLE = 0x20;

    private final StringBuilder text = new StringBuilder();

    private Json() {}

    /**
     * Returns a value as JSON.
     *
     * @throws IllegalArgumentException if it has a part of another kind
     */
    static String of(Object value) {
        Json json = new Json();
        json.add(value);
        return json.text.toString();
    }

    private void add(Object value) {
        if (value instanceof String string) {
            addText(string);
        } else if (value instanceof Enum<?> constant) {
            addText(constant.name());
        } else if (value instanceof Long || value instanceof Integer) {
            text.append(value);
        } else if (value instanceof List<?> list) {
            text.append('[');
            list.forEach(each -> {
                separate('[');
                add(each);
            });
            text.append(']');
        } else if (value instanceof Map<?, ?> map) {
            text.append('{');
            map.forEach((name, each) -> addMember(String.valueOf(name), each));
            text.append('}');
        } else if (value instanceof Record fields) {
            text.append('{');
            for (RecordComponent field : fields.getClass().getRecordComponents()) {
                addMember(field.getName(), valueOf(field, fields));
            }
            text.append('}');
        } else {
            throw new IllegalArgumentException("Not written as JSON: " + value.getClass());
        }
    }

    private static Object valueOf(RecordComponent field, Record fields) {
        try {
            return field.getAccessor().invoke(fields);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("Not written as JSON: " + field, e);
        }
    }

    private void addMember(String name, Object value) {
        separate('{');
        addText(name);
        text.append(':');
        add(value);
    }

    /** Adds a comma unless what follows is the first in its brackets. */
    private void separate(char bracket) {
        if (text.charAt(text.length() - 1) != bracket) {
            text.append(',');
        }
    }

    private void addText(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char each = value.charAt(i);
            if (each == '"' || each == '\\') {
                text.append('\\').append(each);
            } else if (each < FIRST_PRINTABLE) {
                text.append(String.format("\\u%04x", (int) each));
            } else {
                text.append(each);
            }
        }
        text.append('"');
    }
}
