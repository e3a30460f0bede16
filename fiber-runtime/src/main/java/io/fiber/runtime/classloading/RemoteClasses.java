// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.classloading;

import io.fiber.ConfigurationException;
import io.fiber.runtime.config.ConfigKey;
import io.fiber.runtime.config.FiberConfig;
import io.fiber.runtime.config.Setting;
import io.fiber.runtime.serialization.JavaSerializerProvider;
import io.fiber.spi.serializer.SerializerProvider;

/** Decides whether a session sends classes. */
public final class RemoteClasses {

    /** The value for sending classes; a worker inherits it from its master. */
    public static final String ON = "on";

    private static final String AUTO = "auto";
    private static final String MAIN_CLASS = "jdk.module.main.class";
    private static final String SOURCE_LAUNCHER = "com.sun.tools.javac.launcher.";

    private RemoteClasses() {}

    /**
     * Returns whether classes are sent in a session that the calling thread opens. {@code auto} means in JShell, and in
     * a program that was started from its source by {@code java Main.java}.
     *
     * @throws ConfigurationException FBR-501 if they should be sent, and the serializer is not Java's
     */
    public static boolean isOn(FiberConfig config, SerializerProvider serializer) {
        Setting choice = config.setting(ConfigKey.REMOTE_CLASS_LOADING).orElseThrow();
        boolean isWanted =
                choice.value().equals(ON) || (choice.value().equals(AUTO) && (isFromSource() || isShellCalling()));
        if (isWanted && !(serializer instanceof JavaSerializerProvider)) {
            throw new ConfigurationException("FBR-501 Setting '" + ConfigKey.REMOTE_CLASS_LOADING.key() + "' is '"
                    + choice.value() + "' (from " + choice.origin()
                    + "), but only the serializer 'java' can send classes to workers, and this session uses '"
                    + serializer.name() + "'. Change one of the two settings.");
        }
        return isWanted;
    }

    /**
     * Returns whether the program was started from its source file, so that its classes exist only in memory. The JDK's
     * source launcher leaves its own name in this property.
     */
    private static boolean isFromSource() {
        return System.getProperty(MAIN_CLASS, "").startsWith(SOURCE_LAUNCHER);
    }

    /** A snippet is a method of a class that JShell names like this. */
    private static boolean isShellCalling() {
        for (StackTraceElement frame : new Throwable().getStackTrace()) {
            if (Variables.isSnippet(frame.getClassName())) {
                return true;
            }
        }
        return false;
    }
}
