// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.host;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of a JVM like this one: same executable, same class path, same {@code fiber.tck.*} properties. */
public final class JavaCommand {

    private static final String HANDED_ON = "fiber.tck.";

    private final Class<?> main;
    private List<String> jvmOptions = List.of();
    private List<String> arguments = List.of();

    /** Creates the command line that runs the {@code main} of this class. */
    public JavaCommand(Class<?> main) {
        this.main = main;
    }

    /** Returns the path of the running JVM's {@code java}. */
    public static String executable() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Adds options, which come after the kit's own. */
    public JavaCommand jvmOptions(List<String> options) {
        jvmOptions = List.copyOf(options);
        return this;
    }

    /** Sets the arguments of the program. */
    public JavaCommand arguments(List<String> words) {
        arguments = List.copyOf(words);
        return this;
    }

    /** Returns the executable and its arguments. */
    public List<String> words() {
        List<String> words = new ArrayList<>(List.of(executable(), "-Xmx128m", "-XX:+UseSerialGC"));
        words.addAll(jvmOptions);
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith(HANDED_ON))
                .sorted()
                .forEach(name -> words.add("-D" + name + "=" + System.getProperty(name)));
        words.add("-cp");
        words.add(System.getProperty("java.class.path"));
        words.add(main.getName());
        words.addAll(arguments);
        return words;
    }
}
