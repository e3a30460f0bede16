// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks.data;

import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Arrays that travel to workers ("there"), from them ("back"), or both ways ("echo"). */
record Move(Kind kind, boolean there, boolean back) {

    /** How many arrays of which size. */
    enum Kind {
        LARGE(64, 8 << 20),
        DOUBLES(64, 8 << 20),
        SMALL(20_000, 4 << 10);

        final int count;
        final int bytes;

        Kind(int count, int bytes) {
            this.count = count;
            this.bytes = bytes;
        }

        @SuppressWarnings("EnumOrdinal") // the position is the code
        int code() {
            return ordinal();
        }

        static Kind of(int code) {
            return values()[code];
        }

        /** Returns a new array. */
        Object array() {
            return this == DOUBLES ? new double[bytes / Double.BYTES] : new byte[bytes];
        }

        /** Returns the arrays that are sent: many times the same one, which each system sends every time. */
        List<Object> arrays() {
            return Collections.nCopies(count, array());
        }
    }

    /** Returns the one of this name, such as {@code large_there}. */
    static Move named(String name) {
        String[] words = name.split("_", 2);
        Kind kind = Kind.valueOf(words[0].toUpperCase(Locale.ROOT));
        return switch (words[1]) {
            case "there" -> new Move(kind, true, false);
            case "back" -> new Move(kind, false, true);
            case "echo" -> new Move(kind, true, true);
            default -> throw new IllegalArgumentException("There is no test '" + name + "'.");
        };
    }

    /** Returns the bytes of an array. */
    static int bytes(Object array) {
        return array instanceof double[] doubles ? doubles.length * Double.BYTES : ((byte[]) array).length;
    }
}
