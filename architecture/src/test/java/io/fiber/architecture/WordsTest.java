// SPDX-License-Identifier: Apache-2.0
package io.fiber.architecture;

import static java.util.Objects.requireNonNull;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Names and javadoc of main code use the words of this field. {@code words.txt} lists the words that are refused; behind a
 * word stand the packages that still have it in names. The packages only get fewer: one that no longer has the word is
 * refused in the list, too.
 */
@AnalyzeClasses(packages = "io.fiber", importOptions = DoNotIncludeTests.class)
final class WordsTest {
    /** Where the modules lie, seen from this one. */
    private static final Path ROOT = Path.of("..");

    private static final Pattern WORD = Pattern.compile("[A-Z]+(?![a-z])|[A-Z]?[a-z]+");
    private static final Pattern JAVADOC = Pattern.compile("/\\*\\*.*?\\*/", Pattern.DOTALL);

    @ArchTest
    static void namesHaveNoRefusedWord(JavaClasses classes) {
        Map<String, Set<String>> refused = refused();
        Set<String> excused = new HashSet<>();
        Set<String> faults = new TreeSet<>();
        for (JavaClass type : classes) {
            Set<String> names = new TreeSet<>(Set.of(type.getSimpleName()));
            type.getMembers().stream().map(JavaMember::getName).forEach(names::add);
            for (String name : names) {
                for (String word : wordsOf(name)) {
                    String where = type.getPackageName();
                    if (refused.getOrDefault(word, Set.of()).contains(where)) {
                        excused.add(word + " " + where);
                    } else if (refused.containsKey(word)) {
                        faults.add("'" + word + "' in the name " + type.getName() + "." + name);
                    }
                }
            }
        }
        refused.forEach((word, packages) -> packages.stream()
                .filter(where ->
                        classes.stream().anyMatch(type -> type.getPackageName().equals(where)))
                .filter(where -> !excused.contains(word + " " + where))
                .forEach(where ->
                        faults.add("words.txt: " + where + " has no '" + word + "' any more; remove it there")));
        requireNone(faults);
    }

    @ArchTest
    static void javadocHasNoRefusedWord(JavaClasses classes) throws IOException {
        Map<String, Set<String>> refused = refused();
        Set<String> faults = new TreeSet<>();
        for (Path source : sources()) {
            Matcher javadoc = JAVADOC.matcher(Files.readString(source));
            while (javadoc.find()) {
                for (String word : wordsOf(javadoc.group())) {
                    if (refused.containsKey(word)) {
                        faults.add("'" + word + "' in the javadoc of " + ROOT.relativize(source));
                    }
                }
            }
        }
        requireNone(faults);
    }

    private static void requireNone(Set<String> faults) {
        if (!faults.isEmpty()) {
            throw new AssertionError(
                    "words.txt refuses these words; use the word that a reader of this field knows:\n  "
                            + String.join("\n  ", faults));
        }
    }

    private static List<String> wordsOf(String text) {
        List<String> words = new ArrayList<>();
        Matcher word = WORD.matcher(text);
        while (word.find()) {
            words.add(word.group().toLowerCase(Locale.ROOT));
        }
        return words;
    }

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module : modules.toList()) {
                Path main = module.resolve("src/main/java");
                if (Files.isDirectory(main)) {
                    try (Stream<Path> files = Files.walk(main)) {
                        files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
                    }
                }
            }
        }
        if (sources.isEmpty()) {
            throw new AssertionError("No sources below " + ROOT.toAbsolutePath().normalize());
        }
        return sources;
    }

    /** Returns each refused word with the packages that may still have it in names. */
    private static Map<String, Set<String>> refused() {
        Map<String, Set<String>> words = new TreeMap<>();
        try (InputStream in = requireNonNull(WordsTest.class.getResourceAsStream("words.txt"), "words.txt")) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            text.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .forEach(line -> {
                        List<String> parts = List.of(line.split("\\s+", -1));
                        words.put(parts.get(0), Set.copyOf(parts.subList(1, parts.size())));
                    });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return words;
    }
}
