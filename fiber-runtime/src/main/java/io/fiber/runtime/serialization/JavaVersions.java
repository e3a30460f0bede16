// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reports that a process runs an older Java than the program needs. */
final class JavaVersions {

    /** The form in which the JVM reports it. */
    private static final Pattern VERSION = Pattern.compile("class file version ([0-9]+)\\.([0-9]+)");

    /** Java 17 writes version 61. */
    private static final int VERSION_OF_JAVA_0 = 44;

    /** The minor version of a class that was compiled with {@code --enable-preview}. */
    private static final String PREVIEW = "65535";

    private JavaVersions() {}

    static String describe(UnsupportedClassVersionError newer, Side side) {
        String message = String.valueOf(Causes.message(newer));
        Matcher version = VERSION.matcher(message);
        if (!version.find()) {
            return message + ". " + here(side) + ".";
        }
        int needed = Integer.parseInt(version.group(1)) - VERSION_OF_JAVA_0;
        String type = message.split(" ", 2)[0].replace('/', '.');
        if (version.group(2).equals(PREVIEW)) {
            return message + ". " + here(side) + ": run Java " + needed + " with --enable-preview there.";
        }
        return "class " + type + " was compiled for Java " + needed + ". " + here(side) + ". "
                + advice(side, "Java " + needed) + ", or compile with --release "
                + Runtime.version().feature() + ".";
    }

    /** Returns whether a class with this name belongs to the JDK, though perhaps not to this one. */
    static boolean isOfJdk(String name) {
        return name.startsWith("java.");
    }

    static String describeMissing(String type, Side side) {
        return "class " + type + " is missing there. " + here(side) + ", which does not have it. "
                + advice(side, "the Java of the process that wrote it") + ".";
    }

    private static String here(Side side) {
        return "The " + side + " runs Java " + Runtime.version().feature();
    }

    private static String advice(Side side, String java) {
        return side == Side.WORKER ? "Set worker.java to " + java + " or later" : "Run it with " + java + " or later";
    }
}
