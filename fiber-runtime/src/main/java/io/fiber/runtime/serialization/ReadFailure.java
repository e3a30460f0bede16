// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import io.fiber.SerializationException;
import io.fiber.runtime.protocol.RefusedLookupException;
import io.fiber.runtime.serialization.functions.RefusedInputException;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import org.jspecify.annotations.Nullable;

/** Explains why a value could not be read. */
final class ReadFailure {

    private static final String SAME_BUILD = ". Run the same build of the program on both sides.";

    private static final String IN_MEMORY =
            " If the program has the class only in memory (java Main.java, JShell), set remote-class-loading to on.";

    /** The message with which an object stream reports a rejection by its filter; the reason is the cause. */
    private static final String FILTER_STATUS = "filter status: ";

    private ReadFailure() {}

    /** Returns the exception to throw; rethrows an error of the virtual machine itself. */
    static SerializationException of(String what, Side side, Throwable thrown) {
        if (thrown instanceof VirtualMachineError error) {
            throw error;
        }
        String start = "Cannot read " + what + " on the " + side + ": ";
        for (Throwable cause : Causes.of(thrown)) {
            SerializationException known = known(start, side, cause);
            if (known != null) {
                return known;
            }
        }
        return new SerializationException(
                "FBR-206",
                start + Causes.describe(thrown) + ". The bytes are damaged, or a class rejected them while it was"
                        + " deserialized.",
                thrown);
    }

    private static @Nullable SerializationException known(String start, Side side, Throwable cause) {
        if (cause instanceof InvalidClassException
                && String.valueOf(Causes.message(cause)).startsWith(FILTER_STATUS)) {
            return cause.getCause() == null
                    ? new SerializationException("FBR-204", start + "the filter does not allow a class in it.", cause)
                    : null;
        }
        if (cause instanceof DeepStack.TooDeepException tooDeep) {
            return new SerializationException(
                    "FBR-204",
                    start + "its objects are nested too deeply for a stack of " + (tooDeep.stackBytes() >> 20)
                            + " MiB. Send a list of the parts instead of a chain of objects.",
                    cause);
        }
        if (cause instanceof RefusedInputException refused) {
            return new SerializationException(refused.code(), start + refused.getMessage() + ".", cause);
        }
        if (cause instanceof UnsupportedClassVersionError newer) {
            return new SerializationException("FBR-207", start + JavaVersions.describe(newer, side), cause);
        }
        // The first process of the program cannot send a class that it has.
        if (cause instanceof ClassNotFoundException && cause.getCause() instanceof RefusedLookupException refused) {
            return new SerializationException(refused.code(), start + refused.reason(), cause);
        }
        String missing = missingClass(cause);
        if (missing != null && JavaVersions.isOfJdk(missing)) {
            return new SerializationException("FBR-202", start + JavaVersions.describeMissing(missing, side), cause);
        }
        if (missing != null) {
            return new SerializationException(
                    "FBR-202",
                    start + "class " + missing + " is missing there. Put the jar or directory that contains it on the"
                            + " class path of the "
                            + side + "." + (side == Side.WORKER && !isRemoteClassLoadingOn(cause) ? IN_MEMORY : ""),
                    cause);
        }
        if (cause instanceof InvalidClassException invalid && message(cause).endsWith("no valid constructor")) {
            return new SerializationException(
                    "FBR-203",
                    start + "Java cannot deserialize objects of class " + invalid.classname
                            + ": give its nearest superclass that is not Serializable a constructor without"
                            + " parameters.",
                    cause);
        }
        String differing = difference(cause);
        if (differing != null) {
            return new SerializationException("FBR-203", start + differing + SAME_BUILD, cause);
        }
        return null;
    }

    private static String message(Throwable cause) {
        return String.valueOf(Causes.message(cause));
    }

    /** Returns whether a class was requested over the network in vain; the answer then says why it is missing. */
    private static boolean isRemoteClassLoadingOn(Throwable missing) {
        for (Throwable cause : Causes.of(missing)) {
            if (cause instanceof IOException) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable String missingClass(Throwable cause) {
        String message = String.valueOf(Causes.message(cause));
        if (cause instanceof ClassNotFoundException) {
            return message;
        }
        boolean missing = cause instanceof NoClassDefFoundError && !message.contains(" ");
        return missing ? message.replace('/', '.') : null;
    }

    private static @Nullable String difference(Throwable cause) {
        String message = String.valueOf(Causes.message(cause));
        if (cause instanceof InvalidObjectException && message.startsWith("enum constant ")) {
            return "an enum differs from the one that was written (" + message + ")";
        }
        if (cause instanceof InvalidClassException invalid) {
            String name = invalid.classname;
            return (name == null ? "a class" : "class " + name) + " differs from the one that was written ("
                    + (name == null ? message : message.replace(name + "; ", "")) + ")";
        }
        if (cause instanceof IllegalArgumentException && message.equals("Invalid lambda deserialization")) {
            return "class " + lambdaHost(cause) + " does not contain the lambda that was sent";
        }
        if (cause instanceof NoSuchMethodException && message.contains("$deserializeLambda$")) {
            return "class " + message.substring(0, message.indexOf(".$deserializeLambda$"))
                    + " does not contain the lambda that was sent";
        }
        if (cause instanceof ClassCastException && message.startsWith("cannot assign instance of ")) {
            return "a field differs from the one that was written (" + message + ")";
        }
        return null;
    }

    private static String lambdaHost(Throwable cause) {
        for (StackTraceElement frame : cause.getStackTrace()) {
            if (frame.getMethodName().equals("$deserializeLambda$")) {
                return frame.getClassName();
            }
        }
        return "its class";
    }
}
