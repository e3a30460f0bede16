// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

/** The first byte of a written value. 0 is not a tag, so that a payload of zeros is recognized as damaged. */
final class Tag {

    static final int NULL = 1;
    static final int FALSE = 2;
    static final int TRUE = 3;
    static final int BYTE = 4;
    static final int SHORT = 5;
    static final int CHARACTER = 6;
    static final int INTEGER = 7;
    static final int LONG = 8;
    static final int FLOAT = 9;
    static final int DOUBLE = 10;
    static final int LATIN1_STRING = 11;
    static final int UTF16_STRING = 12;
    static final int BOOLEANS = 13;
    static final int BYTES = 14;
    static final int SHORTS = 15;
    static final int CHARACTERS = 16;
    static final int INTEGERS = 17;
    static final int LONGS = 18;
    static final int FLOATS = 19;
    static final int DOUBLES = 20;
    static final int OBJECT = 21;
    /** The stamps of the classes with its code, followed by the content of an object. */
    static final int FUNCTION = 22;

    private Tag() {}
}
