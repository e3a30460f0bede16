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
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Names and comments of main code use the words of this field: {@code words.txt} lists those that are refused. */
@AnalyzeClasses(
        packages = "io.fiber",
        importOptions = {DoNotIncludeTests.class, WithoutLibraries.class})
final class WordsTest {
    /** Where the modules lie, seen from this one. */
    private static final Path ROOT = Path.of("..");

    private static final Pattern WORD = Pattern.compile("[A-Z]+(?![a-z])|[A-Z]?[a-z]+");

    /** A literal, which is skipped; a comment; or a name, but not one behind a dot, which is declared elsewhere. */
    private static final Pattern TOKEN = Pattern.compile(
            "\"\"\".*?\"\"\"|\"(?:[^\"\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\n]|\\\\.)*'"
                    + "|(?<text>/\\*.*?\\*/|//[^\n]*|(?<![.\\w])[A-Za-z_]\\w*)",
            Pattern.DOTALL);

    /** Types and members, also those that are generated. */
    @ArchTest
    static void namesHaveNoRefusedWord(JavaClasses classes) {
        Set<String> refused = refused();
        Set<String> faults = new TreeSet<>();
        for (JavaClass type : classes) {
            Set<String> names = new TreeSet<>(Set.of(type.getSimpleName()));
            type.getMembers().stream().map(JavaMember::getName).forEach(names::add);
            for (String name : names) {
                for (String word : wordsOf(name)) {
                    if (refused.contains(word)) {
                        faults.add("'" + word + "' in the name " + type.getName() + "." + name);
                    }
                }
            }
        }
        requireNone(faults);
    }

    /** Comments of each kind, and the names of parameters and local variables. */
    @ArchTest
    static void sourcesHaveNoRefusedWord(JavaClasses classes) throws IOException {
        Set<String> refused = refused();
        Set<String> faults = new TreeSet<>();
        for (Path source : sources()) {
            for (String word : wordsOf(textOf(Files.readString(source)))) {
                if (refused.contains(word)) {
                    faults.add("'" + word + "' in " + ROOT.relativize(source));
                }
            }
        }
        requireNone(faults);
    }

    @ArchTest
    static void commentsAndNamesAreFoundBesideLiterals(JavaClasses classes) {
        String source = """
                /** A. */
                String b = "// x \\" /* x */"; // c 'd'
                char e = '"'; /* f
                   "g" */ char h = '\\''; //i
                String j = \"""
                    // x "x" \"""; // k
                this.x = y.isX();
                """;
        List<String> found = wordsOf(textOf(source));
        List<String> expected = List.of(
                "a", "string", "b", "c", "d", "char", "e", "f", "g", "char", "h", "i", "string", "j", "k", "this", "y");
        if (!found.equals(expected)) {
            throw new AssertionError("Found in the example: " + found + "; expected " + expected);
        }
    }

    /** Returns the comments of a source and its names, without literals. */
    private static String textOf(String source) {
        StringBuilder texts = new StringBuilder();
        Matcher found = TOKEN.matcher(source);
        while (found.find()) {
            String text = found.group("text");
            if (text != null) {
                texts.append(text).append('\n');
            }
        }
        return texts.toString();
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

    private static Set<String> refused() {
        Set<String> words = new TreeSet<>();
        try (InputStream in = requireNonNull(WordsTest.class.getResourceAsStream("words.txt"), "words.txt")) {
            new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .forEach(words::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return words;
    }
}
