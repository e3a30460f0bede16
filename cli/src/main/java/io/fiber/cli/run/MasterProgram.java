// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.run;

import io.fiber.FiberException;
import io.fiber.spi.backend.Program;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Parses the words of a command. The options of {@code java} are separated, so that a backend can send the class path
 * and add options for resources; any other command is kept unchanged. Not thread-safe.
 */
public final class MasterProgram {

    private static final Set<String> CLASS_PATH = Set.of("-cp", "-classpath", "--class-path");
    private static final Set<String> MODULE_PATH = Set.of("-p", "--module-path");
    private static final Set<String> MODULE = Set.of("-m", "--module");

    /** Options of java whose value is the next word. */
    private static final Set<String> WITH_VALUE = Set.of(
            "--add-modules",
            "--add-exports",
            "--add-opens",
            "--add-reads",
            "--limit-modules",
            "--upgrade-module-path",
            "--patch-module",
            "--enable-native-access");

    /** Options with which java does something else than run a main class of a class path. */
    private static final Set<String> OTHER_USES = Set.of(
            "-version",
            "--version",
            "-showversion",
            "--show-version",
            "-help",
            "--help",
            "-?",
            "-h",
            "-X",
            "--help-extra",
            "--list-modules",
            "-d",
            "--describe-module",
            "--dry-run",
            "--validate-modules",
            "--source");

    private final List<String> words;
    private final List<String> options = new ArrayList<>();
    private final List<String> classPath = new ArrayList<>();
    private final List<String> modulePath = new ArrayList<>();
    private boolean isClassPathNamed;
    private List<String> missingOfClassPath = List.of();
    private final List<String> missingOfModulePath = new ArrayList<>();
    private int at = 1;

    private MasterProgram(List<String> words) {
        this.words = words;
    }

    /**
     * Returns the program of a command line.
     *
     * @param words at least one
     * @param defaultClassPath the class path if none is given: the variable CLASSPATH, or the directory
     * @throws FiberException FBR-531 if {@code -jar} names a file that is not a jar with a main class, FBR-532 if java
     *     has no main class
     */
    public static Program of(List<String> words, String defaultClassPath) {
        if (isJava(words.get(0))) {
            Optional<Program.Java> java = new MasterProgram(words).java(defaultClassPath);
            if (java.isPresent()) {
                return java.get();
            }
        }
        return new Program.Command(words);
    }

    /**
     * Checks whether the entries of a command line's paths are on this host. Java ignores missing ones silently, and
     * the consequences would only show after the time in the cluster's queue.
     *
     * @param said receives the missing entries, if others exist
     * @throws FiberException FBR-531 if none exists, and as {@link #of}
     */
    public static void look(List<String> words, String defaultClassPath, Consumer<String> said) {
        if (isJava(words.get(0))) {
            MasterProgram read = new MasterProgram(words);
            read.java(defaultClassPath).ifPresent(program -> read.look(program, said));
        }
    }

    private void look(Program.Java program, Consumer<String> said) {
        String missing = Stream.concat(missingOfClassPath.stream(), missingOfModulePath.stream())
                .collect(Collectors.joining(", "));
        if (missing.isEmpty()) {
            return;
        }
        if (!isHere(program)) {
            throw new FiberException(
                    "FBR-531",
                    "No part of the class path of " + program.main() + " exists on this host: there is no " + missing
                            + ". Expected jars or directories, which are sent with the job; relative names start at '"
                            + absolute("")
                            + "'. Correct the names. Start a program that is in its image like any other command: sh"
                            + " -c 'exec java ...'");
        }
        said.accept("warning: there is no " + missing + "; java silently ignores missing entries");
    }

    /** Returns whether any file of a program's paths is on this host. */
    static boolean isHere(Program.Java program) {
        return Stream.concat(program.classPath().stream(), program.modulePath().stream())
                .map(Path::of)
                .anyMatch(Files::exists);
    }

    private static boolean isJava(String word) {
        String name = word.substring(word.lastIndexOf('/') + 1);
        return name.equals("java") || word.endsWith(File.separator + "java.exe");
    }

    /** Returns the program; empty if java does something else than run a main class that its own words name. */
    private Optional<Program.Java> java(String defaultClassPath) {
        while (at < words.size() && words.get(at).startsWith("-")) {
            String word = words.get(at++);
            int equals = word.indexOf('=');
            String name = equals < 0 ? word : word.substring(0, equals);
            if (OTHER_USES.contains(name)) {
                return Optional.empty();
            }
            if (word.equals("-jar")) {
                return named(value(word)).map(this::jar);
            }
            if (MODULE.contains(name)) {
                return named(equals < 0 ? value(word) : word.substring(equals + 1))
                        .map(this::program);
            }
            if (CLASS_PATH.contains(name)) {
                classPath(equals < 0 ? value(word) : word.substring(equals + 1), name);
            } else if (MODULE_PATH.contains(name)) {
                modulePath(equals < 0 ? value(word) : word.substring(equals + 1), name);
            } else {
                options.add(word);
                if (WITH_VALUE.contains(word)) {
                    options.add(value(word));
                }
            }
        }
        if (readsFiles()) {
            return Optional.empty();
        }
        if (!isClassPathNamed) {
            classPath(defaultClassPath, "the variable CLASSPATH");
        }
        return named(value("java")).filter(main -> !main.endsWith(".java")).map(this::program);
    }

    /** Returns the word that names the program; empty if java reads further words from a file. */
    private Optional<String> named(String main) {
        return readsFiles() ? Optional.empty() : Optional.of(main);
    }

    private boolean readsFiles() {
        return words.subList(1, at).stream().anyMatch(word -> word.startsWith("@"));
    }

    private String value(String option) {
        if (at >= words.size()) {
            throw new FiberException(
                    "FBR-532",
                    "The command " + words + " ends after '" + option
                            + "'; expected a main class, as in 'java -cp app.jar"
                            + " my.Program', or -jar and a file.");
        }
        return words.get(at++);
    }

    private Program.Java program(String main) {
        String executable = words.get(0);
        return new Program.Java(
                executable.equals("java") ? Optional.empty() : Optional.of(executable),
                options,
                classPath,
                modulePath,
                main,
                words.subList(at, words.size()));
    }

    /** Applies the requests of the manifest, because the main class is started by its name. */
    private Program.Java jar(String file) {
        Path path = Path.of(file).toAbsolutePath().normalize();
        try (JarFile jar = new JarFile(path.toFile())) {
            Manifest manifest = Optional.ofNullable(jar.getManifest()).orElseGet(Manifest::new);
            Attributes attributes = manifest.getMainAttributes();
            String main = attributes.getValue(Attributes.Name.MAIN_CLASS);
            if (main == null) {
                throw notRunnable(file, "its manifest names no Main-Class", null);
            }
            export("--add-exports", attributes.getValue("Add-Exports"));
            export("--add-opens", attributes.getValue("Add-Opens"));
            classPath.clear();
            missingOfClassPath = List.of();
            classPath.add(path.toString());
            classPath.addAll(beside(path, attributes.getValue(Attributes.Name.CLASS_PATH)));
            return program(main.strip());
        } catch (IOException e) {
            throw notRunnable(file, e.toString(), e);
        }
    }

    private static FiberException notRunnable(String file, String why, @Nullable IOException e) {
        return new FiberException(
                "FBR-531",
                "The file '" + file + "' of -jar cannot be run: " + why
                        + ". Expected a jar with a main class; or name a class path and a main class: java -cp " + file
                        + " my.Program",
                e);
    }

    private void export(String option, @Nullable String packages) {
        if (packages != null && !packages.isBlank()) {
            for (String each : packages.strip().split("\\s+", -1)) {
                options.add(option);
                options.add(each + "=ALL-UNNAMED");
            }
        }
    }

    /** Returns the existing files that a manifest names; java, too, ignores the others. */
    private static List<String> beside(Path jar, @Nullable String named) {
        List<String> files = new ArrayList<>();
        if (named != null && !named.isBlank()) {
            for (String each : named.strip().split("\\s+", -1)) {
                Path file = jar.resolveSibling(each.startsWith("file:") ? each.substring("file:".length()) : each)
                        .normalize();
                if (Files.exists(file)) {
                    files.add(file.toString());
                }
            }
        }
        return files;
    }

    /** The last class path applies. */
    private void classPath(String text, String origin) {
        isClassPathNamed = true;
        classPath.clear();
        ClassPath.entries(text).stream().map(MasterProgram::absolute).forEach(classPath::add);
        missingOfClassPath = ClassPath.missing(text).stream()
                .map(entry -> named(entry, origin))
                .toList();
    }

    private void modulePath(String text, String origin) {
        for (String entry : text.split(File.pathSeparator, -1)) {
            if (!entry.isEmpty()) {
                modulePath.add(absolute(entry));
                if (!Files.exists(Path.of(entry))) {
                    missingOfModulePath.add(named(entry, origin));
                }
            }
        }
    }

    private static String named(String entry, String origin) {
        return "'" + entry + "' (from " + origin + ")";
    }

    /** Returns an absolute path, because a job may start in another directory. */
    private static String absolute(String entry) {
        return Path.of(entry).toAbsolutePath().normalize().toString();
    }
}
