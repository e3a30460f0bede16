// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of a JVM like this one: same executable, same class path, same {@code fiber.tck.*} properties. */
final class JavaCommand {

    private static final String HANDED_ON = "fiber.tck.";

    private final Class<?> main;
    private List<String> jvmOptions = List.of();
    private List<String> arguments = List.of();

    JavaCommand(Class<?> main) {
        this.main = main;
    }

    static String executable() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    JavaCommand jvmOptions(List<String> options) {
        jvmOptions = List.copyOf(options);
        return this;
    }

    JavaCommand arguments(List<String> words) {
        arguments = List.copyOf(words);
        return this;
    }

    List<String> words() {
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
