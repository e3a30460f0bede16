// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import io.fiber.SerializationException;
import io.fiber.runtime.platform.Types;
import io.fiber.runtime.protocol.PayloadLimitException;
import io.fiber.runtime.serialization.functions.RefusedInputException;
import java.io.NotSerializableException;
import org.jspecify.annotations.Nullable;

/** Explains why a value could not be written. */
final class WriteFailure {

    private WriteFailure() {}

    /** Returns the exception to throw; rethrows an error of the virtual machine itself. */
    static SerializationException of(String what, @Nullable Object value, Throwable thrown) {
        if (thrown instanceof VirtualMachineError error) {
            throw error;
        }
        for (Throwable cause : Causes.of(thrown)) {
            if (cause instanceof DeepStack.TooDeepException tooDeep) {
                return new SerializationException(
                        "FBR-201",
                        "Cannot serialize " + what + ": its objects are nested too deeply for a stack of "
                                + (tooDeep.stackBytes() >> 20)
                                + " MiB. Send a list of the parts instead of a chain of objects.",
                        thrown);
            }
            if (cause instanceof PayloadLimitException limit) {
                return tooLarge(what, limit);
            }
            if (cause instanceof RefusedInputException refused) {
                return new SerializationException(
                        refused.code(), "Cannot serialize " + what + ": " + refused.getMessage() + ".", refused);
            }
            if (cause instanceof UnreadableClassException unreadable) {
                return new SerializationException(
                        "FBR-201",
                        "Cannot serialize " + what + ": an object of "
                                + Types.name(unreadable.reason().type()) + " could not be read back"
                                + unreadable.found().place() + ". "
                                + unreadable.reason().describe(),
                        unreadable);
            }
            if (cause instanceof NotSerializableException refused) {
                return notSerializable(what, value, refused);
            }
        }
        return new SerializationException(
                "FBR-201",
                "Cannot serialize " + what + ": " + Causes.describe(thrown) + " was thrown by " + Causes.origin(thrown)
                        + ".",
                thrown);
    }

    private static SerializationException tooLarge(String what, PayloadLimitException limit) {
        if (limit.bound() == PayloadLimitException.Bound.HEAP) {
            return new SerializationException(
                    "FBR-205",
                    "Cannot send " + what + ": after " + (limit.limitBytes() >> 10)
                            + " KiB of it the heap of this process is almost full (limit: "
                            + (limit.heapBytes() >> 20)
                            + " MiB). If it has no end (a lazy list, a generator), send a part of it, or the code"
                            + " that produces it. Otherwise raise -Xmx, send it in parts, or write it to a file that"
                            + " both sides can read and send the path.",
                    limit);
        }
        return new SerializationException(
                "FBR-205",
                "Cannot send " + what + ": it is larger than the limit of " + bytes(limit.limitBytes())
                        + ". Send it in parts, or write it to a file that both sides can read and send the path.",
                limit);
    }

    private static SerializationException notSerializable(
            String what, @Nullable Object value, NotSerializableException refused) {
        String name = String.valueOf(refused.getMessage()).lines().findFirst().orElse("");
        ObjectPath.Node found = value == null ? null : ObjectPath.find(value, name);
        String text;
        if (found != null) {
            text = Types.name(found.object().getClass()) + " is not Serializable" + found.place() + ". "
                    + Hints.of(found);
        } else {
            String root = value == null ? "" : "; it is somewhere in " + Types.name(value.getClass());
            text = Types.name(name) + " is not Serializable" + root + ". " + Hints.of(name, value);
        }
        return new SerializationException("FBR-201", "Cannot serialize " + what + ": " + text, refused);
    }

    /** Returns a number of bytes as text. Limits are whole mebibytes. */
    private static String bytes(long count) {
        long mebibytes = count >> 20;
        return count + " bytes (" + (mebibytes < 1024 ? mebibytes + " MiB)" : (mebibytes >> 10) + " GiB)");
    }
}
