// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.host;

import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.runtime.rpc.Request;
import io.fiber.runtime.security.SealException;
import io.fiber.runtime.serialization.ValueName;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The operations of objects that hold values or belong to the program. The position is the code on the wire, so new ones
 * come last.
 */
public enum ObjectOperation {
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

    public static final ValueName RESULT = new ValueName("the result", "a call on a managed object");

    private static final ValueName ARGUMENT = new ValueName("an argument", "a call on a managed object");
    private static final int MOST_ARGUMENTS = 256;
    private static final ObjectOperation[] ALL = values();
    private static final Set<ObjectOperation> OF_PROGRAM = EnumSet.range(REMOVE_IF, CREATE);

    /** Returns whether the operation runs the program's code, so that its exceptions are the program's. */
    public boolean runsProgram() {
        return OF_PROGRAM.contains(this);
    }

    /** Returns the message with which a process asks for this operation. */
    public Request request(ProcessContext process, @Nullable Object... arguments) {
        PayloadOutput out = new PayloadOutput();
        out.writeVarLong(arguments.length);
        for (Object argument : arguments) {
            process.codecs().values().write(argument, out, ARGUMENT);
        }
        return Request.of(code(), process.seals().close(out.toPayload()));
    }

    /** Returns the arguments in a message that {@link #request} made for this process. */
    static @Nullable Object[] arguments(ProcessContext process, Request request) throws IOException, SealException {
        PayloadInput in = process.seals().open(request.body()).open();
        long count = in.readVarLong();
        if (count < 0 || count > MOST_ARGUMENTS) {
            throw new IllegalArgumentException("A call with " + count + " arguments.");
        }
        @Nullable Object[] arguments = new @Nullable Object[(int) count];
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = process.codecs().values().read(in, ARGUMENT);
        }
        return arguments;
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
