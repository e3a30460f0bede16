// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The pages about settings and errors say what the code says. */
@Tag("documentation")
class ConfigDocsTest {

    private static final String BEGIN =
            "<!-- all but meanings generated: mvn -pl fiber-runtime -am test -Dtest=ConfigDocsTest"
                    + " -Dfiber.test.regenerate=true -->\n";
    private static final String END = "<!-- end of generated -->\n";
    private static final Pattern CODE = Pattern.compile("\"FBR-(\\d{3})");
    private static final Pattern HEADING = Pattern.compile("(?m)^## FBR-(\\d{3})$");

    @Test
    void tableOfSettingsIsWhatTheKeysGenerate() throws IOException {
        Path page = docs().resolve("configuration.md");
        String text = Files.readString(page);
        int begin = text.indexOf(BEGIN) + BEGIN.length();
        int end = text.indexOf(END);
        assertThat(begin).isBetween(BEGIN.length(), end);
        String generated = text.substring(0, begin) + table(text.substring(begin, end)) + text.substring(end);
        if (Boolean.getBoolean("fiber.test.regenerate")) {
            Files.writeString(page, generated);
        } else {
            assertThat(text)
                    .describedAs("docs/configuration.md is old; the comment in it says how to write it anew")
                    .isEqualTo(generated);
        }
    }

    @Test
    void everyCodeOfTheseRoomsIsExplainedOnceAndInOrder() throws IOException {
        List<String> headings = matches(HEADING, Files.readString(docs().resolve("errors.md")));

        assertThat(headings).doesNotHaveDuplicates().isSorted();
        assertThat(headings).containsAll(codes());
    }

    /** Returns the table with the meanings that the page has, which are written there. */
    private static String table(String written) {
        StringBuilder table = new StringBuilder("|key|value|default|meaning|\n|---|---|---|---|\n");
        for (ConfigKey key : ConfigKey.values()) {
            table.append("|`")
                    .append(key.key())
                    .append("`|")
                    .append(key.expectation().replaceFirst(", for example .*", ""))
                    .append("|")
                    .append(key.defaultText())
                    .append("|")
                    .append(meaning(written, key.key()))
                    .append("|\n");
        }
        return table.toString();
    }

    private static String meaning(String written, String key) {
        Pattern row = Pattern.compile("(?m)^\\|`" + Pattern.quote(key) + "`\\|[^|]*\\|[^|]*\\|([^|]+)\\|$");
        List<String> meanings = matches(row, written);
        assertThat(meanings)
                .describedAs("meanings of '" + key + "' in the table of docs/configuration.md: write a row with it")
                .hasSize(1);
        return meanings.get(0);
    }

    private static Set<String> codes() throws IOException {
        Path sources = docs().resolve("../fiber-runtime/src/main/java/io/fiber/runtime");
        Set<String> codes = new TreeSet<>();
        for (String room : List.of("config", "discovery", "platform")) {
            try (Stream<Path> files = Files.walk(sources.resolve(room))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    codes.addAll(matches(CODE, Files.readString(file)));
                }
            }
        }
        return codes;
    }

    private static List<String> matches(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }

    /** Returns the folder, whether the tests run in the module or in the whole. */
    private static Path docs() {
        Path here = Path.of("docs").toAbsolutePath();
        return Files.isDirectory(here) ? here : Path.of("..", "docs").toAbsolutePath();
    }
}
