// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import io.fiber.spi.CallerHost;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TimeZone;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The options of this JVM that its workers get: those that change the meaning of code, not those that concern this
 * process. Immutable.
 *
 * @param jvmOptions options that a JVM must have before {@code main}
 * @param properties system properties that a worker sets before it runs anything; they may be secret, so they belong into
 *     the bootstrap
 * @param leftBehind names of the options that workers do not get
 */
record InheritedOptions(List<String> jvmOptions, Map<String, String> properties, List<String> leftBehind) {

    /** Properties with these prefixes are settings, which travel as such, or are set by the launcher. */
    private static final List<String> NOT_OF_THE_USER =
            List.of("fiber.", "java.class.path", "java.home", "java.vm.", "jdk.module.", "sun.java.", "env.class.path");

    private static final List<String> OF_THE_PROCESS =
            List.of("com.sun.management.", "sun.management.", "java.rmi.server.hostname");
    private static final List<String> OF_THE_HOST = List.of("java.io.tmpdir", "user.dir", "user.home", "user.name");

    /** The JDK reads and keeps some properties with these names before a worker can set any. */
    private static final List<String> OF_THE_JDK =
            List.of("java.", "jdk.", "sun.", "user.", "file.encoding", "stdin.", "stdout.", "stderr.");

    private static final List<String> SECRET = List.of("password", "passwd", "credential", "secret", "token");

    /** Properties that are derived from variables and files of the host if no option sets them. */
    private static final List<String> OF_THE_PLACE =
            List.of("file.encoding", "user.language", "user.script", "user.country", "user.variant", "user.timezone");

    private static final List<String> FLAGS = List.of(
            "-ea",
            "-da",
            "-esa",
            "-dsa",
            "-enableassertions",
            "-disableassertions",
            "-enablesystemassertions",
            "-disablesystemassertions",
            "--enable-preview");
    private static final List<String> BEGINNINGS = List.of(
            "-ea:",
            "-da:",
            "-enableassertions:",
            "-disableassertions:",
            "--add-opens=",
            "--add-exports=",
            "--add-reads=",
            "--add-modules=",
            "--enable-native-access=",
            "--illegal-native-access=",
            "--sun-misc-unsafe-memory-access=",
            "-Xss",
            "-XX:ThreadStackSize=");

    /** The option that {@code java Main.java} adds for the compiler. */
    private static final String OF_THE_SOURCE_LAUNCHER = "--add-modules=ALL-DEFAULT";

    /**
     * Sorts the options of a JVM.
     *
     * @param current the present value of a system property, or null
     */
    static InheritedOptions of(
            List<String> arguments, UnaryOperator<@Nullable String> current, CallerHost.Reach reach) {
        Sorter sorter = new Sorter(current, reach == CallerHost.Reach.SAME_HOST);
        arguments.forEach(sorter::take);
        return sorter.result();
    }

    private static boolean beginsWithOneOf(String text, List<String> beginnings) {
        for (String beginning : beginnings) {
            if (text.startsWith(beginning)) {
                return true;
            }
        }
        return false;
    }

    private static final class Sorter {
        private final UnaryOperator<@Nullable String> current;
        private final boolean sameHost;
        private final List<String> options = new ArrayList<>();
        private final Map<String, String> early = new LinkedHashMap<>();
        private final Map<String, String> properties = new LinkedHashMap<>();
        private final List<String> left = new ArrayList<>();

        Sorter(UnaryOperator<@Nullable String> current, boolean sameHost) {
            this.current = current;
            this.sameHost = sameHost;
        }

        void take(String argument) {
            if (argument.startsWith("-D")) {
                takeProperty(nameOf(argument.substring(2)));
            } else if (FLAGS.contains(argument) || beginsWithOneOf(argument, BEGINNINGS)) {
                if (!argument.equals(OF_THE_SOURCE_LAUNCHER)) {
                    options.add(argument);
                }
            } else {
                left.add(nameOf(argument));
            }
        }

        /** Returns the name of an option without its value, which may be a password. */
        private static String nameOf(String option) {
            int end = option.indexOf('=');
            return end < 0 ? option : option.substring(0, end);
        }

        private void takeProperty(String name) {
            if (beginsWithOneOf(name, NOT_OF_THE_USER)) {
                return;
            }
            String value = current.apply(name);
            boolean stays = beginsWithOneOf(name, OF_THE_PROCESS) || (OF_THE_HOST.contains(name) && !sameHost);
            if (stays || value == null) {
                left.add("-D" + name);
            } else if (beginsWithOneOf(name, OF_THE_JDK) && !isSecret(name)) {
                early.put(name, value);
            } else {
                properties.put(name, value);
            }
        }

        private static boolean isSecret(String name) {
            String lower = name.toLowerCase(Locale.ROOT);
            return SECRET.stream().anyMatch(lower::contains);
        }

        /**
         * Adds properties of this host that no option sets. A worker on this host derives them from the same variables
         * and files.
         */
        private void takePlace() {
            for (String name : OF_THE_PLACE) {
                String value = current.apply(name);
                if (name.equals("user.timezone") && (value == null || value.isEmpty())) {
                    value = TimeZone.getDefault().getID();
                }
                if (value != null && !value.isEmpty()) {
                    early.putIfAbsent(name, value);
                }
            }
        }

        InheritedOptions result() {
            if (!sameHost) {
                takePlace();
            }
            early.forEach((name, value) -> options.add("-D" + name + "=" + value));
            return new InheritedOptions(options, properties, left);
        }
    }
}
