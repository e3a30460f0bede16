// SPDX-License-Identifier: Apache-2.0
package io.fiber.architecture;

import static java.util.Objects.requireNonNull;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import io.fiber.architecture.Paragraphs.Paragraph;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Names and comments of main code use the words of this field: {@code words.txt} lists the words that are refused.
 * Comments and pages are in plain English: {@code phrases.txt} lists the phrases that are refused.
 */
@AnalyzeClasses(
        packages = "io.fiber",
        importOptions = {DoNotIncludeTests.class, WithoutLibraries.class})
final class WordsTest {
    /** Where the modules lie, seen from this one. */
    private static final Path ROOT = Path.of("..");

    /** Where phrases are refused: files, and directories with all sources and pages below them. */
    private static final List<String> IN_PLAIN_ENGLISH = List.of(
            "CHANGELOG.md",
            "CONTRIBUTING.md",
            "README.md",
            "SECURITY.md",
            "backend-docker/src/main/java",
            "backend-kubernetes/src/main/java",
            "backend-local/src/main/java",
            "backend-support/src/main/java",
            "cli/src/main/java",
            "docs",
            "fiber-api/src/main/java",
            "fiber-runtime/src/main/java/io/fiber/runtime/broadcast",
            "fiber-runtime/src/main/java/io/fiber/runtime/channel",
            "fiber-runtime/src/main/java/io/fiber/runtime/classloading",
            "fiber-runtime/src/main/java/io/fiber/runtime/collective",
            "fiber-runtime/src/main/java/io/fiber/runtime/config",
            "fiber-runtime/src/main/java/io/fiber/runtime/discovery",
            "fiber-runtime/src/main/java/io/fiber/runtime/logging",
            "fiber-runtime/src/main/java/io/fiber/runtime/pipe",
            "fiber-runtime/src/main/java/io/fiber/runtime/platform",
            "fiber-runtime/src/main/java/io/fiber/runtime/process",
            "fiber-runtime/src/main/java/io/fiber/runtime/protocol",
            "fiber-runtime/src/main/java/io/fiber/runtime/remotejobs",
            "fiber-runtime/src/main/java/io/fiber/runtime/rpc",
            "fiber-runtime/src/main/java/io/fiber/runtime/security",
            "fiber-runtime/src/main/java/io/fiber/runtime/serialization",
            "fiber-runtime/src/main/java/io/fiber/runtime/session",
            "fiber-runtime/src/main/java/io/fiber/runtime/telemetry",
            "fiber-runtime/src/main/java/io/fiber/runtime/worker",
            "fiber-spi/src/main/java",
            "metrics-micrometer/src/main/java",
            "progress-bar/src/main/java",
            "session-page/src/main/java",
            "tck/src/main/java",
            "transport-aeron/src/main/java",
            "transport-socket/src/main/java");

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
    static void commentsAndPagesHaveNoRefusedPhrase(JavaClasses classes) throws IOException {
        Set<String> faults = new TreeSet<>();
        for (String root : IN_PLAIN_ENGLISH) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(root))) {
                for (Path file : files.filter(WordsTest::hasProse).toList()) {
                    faults.addAll(phrasesIn(file.getFileName().toString(), Files.readString(file)).stream()
                            .map(fault -> ROOT.relativize(file) + ":" + fault)
                            .toList());
                }
            }
        }
        if (!faults.isEmpty()) {
            throw new AssertionError("phrases.txt refuses these phrases:\n  " + String.join("\n  ", faults));
        }
    }

    @ArchTest
    static void plantedPhrasesAreFound(JavaClasses classes) {
        List<String> found = new ArrayList<>();
        found.addAll(phrasesIn("Planted.java", """
                /**
                 * Ends it, also
                 * when it failed; there is no other, {@code also when} the "also when" is none
                 * of these.
                 *
                 * @return whether it is. Of several the first
                 */
                String s = "also when"; // Else it
                // has not the key.
                """));
        found.addAll(phrasesIn("planted.md", """
                # Tells whether

                It may be
                called twice, `also when` closed.

                ```java
                also when // this is code
                ```

                | so often | something else |
                """));
        List<String> expected = List.of(
                "2: 'also when'; write: even if",
                "2: 'also when'; write: even if",
                "2: 'is none of'; write: does not belong to; is not one of",
                "6: '. Of several'; write: If several are there, the first one is used",
                "8: 'has not the'; write: does not have",
                "8: 'Else'; write: otherwise",
                "1: 'Tells whether'; write: Returns whether",
                "3: 'may be called twice'; write: Idempotent.",
                "10: 'so often'; write: this many, this long, this often");
        if (!found.equals(expected)) {
            throw new AssertionError("Found in the example: " + found + "; expected " + expected);
        }
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

    private static boolean hasProse(Path file) {
        String name = file.getFileName().toString();
        return Files.isRegularFile(file) && (name.endsWith(".java") || name.endsWith(".md"));
    }

    /** Returns where a source or page has refused phrases, in words. */
    private static List<String> phrasesIn(String file, String content) {
        List<Paragraph> paragraphs = file.endsWith(".java") ? Paragraphs.ofSource(content) : Paragraphs.ofPage(content);
        Map<Pattern, String> refused = refusedPhrases();
        List<String> faults = new ArrayList<>();
        for (Paragraph paragraph : paragraphs) {
            refused.forEach((phrase, instead) -> {
                Matcher match = phrase.matcher(paragraph.text());
                while (match.find()) {
                    faults.add(paragraph.line() + ": '" + match.group().strip() + "'; write: " + instead);
                }
            });
        }
        return faults;
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
        return new TreeSet<>(linesOf("words.txt"));
    }

    private static Map<Pattern, String> refusedPhrases() {
        Map<Pattern, String> phrases = new LinkedHashMap<>();
        for (String line : linesOf("phrases.txt")) {
            String[] parts = line.split(" => ", -1);
            phrases.put(Pattern.compile(parts[0]), parts[1]);
        }
        return phrases;
    }

    private static List<String> linesOf(String resource) {
        try (InputStream in = requireNonNull(WordsTest.class.getResourceAsStream(resource), resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
