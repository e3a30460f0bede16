// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import java.util.EnumSet;
import java.util.Set;

/**
 * What can be asked of an object that holds values or is the program's own. The position of each is its code on the wire:
 * new ones come last.
 */
enum ObjectOperation {
    SIZE,
    GET,
    SET,
    ADD,
    INSERT,
    REMOVE_AT,
    REMOVE,
    CONTAINS,
    INDEX_OF,
    LAST_INDEX_OF,
    ADD_ALL,
    INSERT_ALL,
    REMOVE_ALL,
    RETAIN_ALL,
    CLEAR,
    SNAPSHOT,

    CONTAINS_VALUE,
    GET_OR_DEFAULT,
    GET_PRESENT,
    PUT,
    PUT_IF_ABSENT,
    PUT_ALL,
    REMOVE_ENTRY,
    REMOVE_KEY,
    REPLACE,
    REPLACE_IF,
    KEYS,

    GET_AND_SET,
    COMPARE_AND_SET,
    COPY_OF_RANGE,
    SET_RANGE,

    REMOVE_IF,
    REPLACE_ALL,
    SORT,
    COMPUTE_IF_ABSENT,
    COMPUTE_IF_PRESENT,
    COMPUTE,
    MERGE,
    UPDATE_AND_GET,
    GET_AND_UPDATE,
    CALL,
    INVOKE,

    CREATE,

    GET_FIRST,
    GET_LAST,
    REMOVE_FIRST,
    REMOVE_LAST;

    private static final ObjectOperation[] ALL = values();
    private static final Set<ObjectOperation> OF_PROGRAM = EnumSet.range(REMOVE_IF, CREATE);

    /** Tells whether the program's code runs, so that what is thrown is the program's. */
    boolean runsProgram() {
        return OF_PROGRAM.contains(this);
    }

    @SuppressWarnings("EnumOrdinal") // the position is the code
    int code() {
        return ordinal();
    }

    static ObjectOperation of(int code) {
        if (code < 0 || code >= ALL.length) {
            throw new IllegalArgumentException("There is no operation " + code + ".");
        }
        return ALL[code];
    }
}
