// SPDX-License-Identifier: Apache-2.0
package io.fiber.architecture;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.architecture.SourceTexts.ReadBack;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * State travels as types: no code looks for words in a text if main code composes texts with these words. Texts of other
 * programs, and formats that are meant to be read, are in {@code read-texts.txt}.
 */
class SentencesTest {
    /** Where the modules lie, seen from this one. */
    private static final Path ROOT = Path.of("..");

    /** Their main code consists of tests and of programs of users. */
    private static final Set<String> OTHERS = Set.of("benchmarks", "examples", "tck");

    @Test
    void noSentenceIsReadBack() throws IOException {
        Map<String, String> excepted = exceptions();
        Set<String> unused = new TreeSet<>(excepted.keySet());
        Set<String> faults = new TreeSet<>();
        for (ReadBack found : new SourceTexts(sources()).readBack()) {
            String name = found.words().file().replaceFirst(".*/", "") + " | "
                    + found.words().text();
            unused.remove(name);
            if (!excepted.containsKey(name)) {
                faults.add(inWords(found));
            }
        }
        assertThat(faults)
                .as("words that are looked for in a text and that main code composes; pass on a type instead, or, if"
                        + " the text is that of another program, add a line 'file | words | why' to read-texts.txt")
                .isEmpty();
        assertThat(unused)
                .as("lines of read-texts.txt that nothing needs any more; delete them")
                .isEmpty();
    }

    @Test
    void plantedReadingsAreFound() {
        Map<String, String> sources = Map.of("a/Pull.java", """
                final class Pull {
                    static final String FAILED = "The pull failed: ";
                    private static final String FOREIGN = "connection refused by";
                    private static final Pattern CODE = Pattern.compile("exit code (\\\\d{1,3})");
                    String why(String said) {
                        return said.contains(FOREIGN) ? FAILED + said : "ended with exit code 3, and"
                                + " no reason (from the node)";
                    }
                    boolean isKnown(String why) {
                        return why.startsWith(FAILED) && why.indexOf('(') > 0 && why.endsWith("else");
                    }
                }
                """, "b/Doctor.java", """
                final class Doctor {
                    boolean isPull(String why) {
                        return why.contains("(from ") || why.contains(Pull.FAILED) || why.contains("FBR-")
                                || why.equals("FBR-123") || why.replaceFirst("no .*reason", "no reason ").isEmpty();
                    }
                    String text() {
                        return "FBR-123 Something else.";
                    }
                }
                """);

        assertThat(new SourceTexts(sources).readBack())
                .extracting(SentencesTest::inWords)
                .containsExactlyInAnyOrder(
                        "a/Pull.java:4 looks for 'exit code ', a part of the text in a/Pull.java:6",
                        "a/Pull.java:10 looks for 'The pull failed: ', a part of the text in a/Pull.java:6",
                        "b/Doctor.java:3 looks for '(from ', a part of the text in a/Pull.java:6",
                        "b/Doctor.java:3 looks for 'The pull failed: ', a part of the text in a/Pull.java:6",
                        "b/Doctor.java:3 looks for 'FBR-', a part of the text in b/Doctor.java:7");
    }

    private static String inWords(ReadBack found) {
        return found.words().file() + ":" + found.words().line() + " looks for '"
                + found.words().text() + "', a part of the text in "
                + found.text().file() + ":"
                + found.text().line();
    }

    private static Map<String, String> sources() throws IOException {
        Map<String, String> sources = new TreeMap<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module : modules.toList()) {
                Path main = module.resolve("src/main/java");
                if (Files.isDirectory(main)
                        && !OTHERS.contains(module.getFileName().toString())) {
                    addSources(main, sources);
                }
            }
        }
        assertThat(sources).as("sources below %s", ROOT.toAbsolutePath()).isNotEmpty();
        return sources;
    }

    private static void addSources(Path main, Map<String, String> sources) throws IOException {
        try (Stream<Path> files = Files.walk(main)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".java")).toList()) {
                sources.put(ROOT.relativize(file).toString(), Files.readString(file));
            }
        }
    }

    private static Map<String, String> exceptions() throws IOException {
        Map<String, String> exceptions = new LinkedHashMap<>();
        try (InputStream in = requireNonNull(SentencesTest.class.getResourceAsStream("read-texts.txt"))) {
            List<String> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
            for (String line : lines) {
                int end = line.lastIndexOf(" | ");
                exceptions.put(line.substring(0, end), line.substring(end + 3));
            }
        }
        return exceptions;
    }
}
