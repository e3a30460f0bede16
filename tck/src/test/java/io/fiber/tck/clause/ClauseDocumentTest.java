// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.clause;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The contracts' texts, the tests, and the javadoc of the SPI speak of the same clauses. */
@Tag("documentation")
final class ClauseDocumentTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern ENTRY =
            Pattern.compile("(?m)^- \\*\\*((?:BKD|TRN)-\\d{3})\\*\\* (?:SHOULD: )?(.*?)\\.(?: \\*.*\\*)?$");
    private static final Pattern REFERENCE = Pattern.compile("(?:BKD|TRN)-\\d{3}");

    /** A clause that needs several lines goes on indented. */
    private static String documents() throws IOException {
        String pages = Files.readString(ROOT.resolve("docs/backend-contract.md"))
                + Files.readString(ROOT.resolve("docs/transport-contract.md"));
        return pages.replace("\n  ", " ");
    }

    @Test
    void everyClauseIsDocumentedAndTested() throws IOException {
        Set<String> documented = ENTRY.matcher(documents())
                .results()
                .map(entry -> entry.group(1) + " " + entry.group(2).substring(1))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> tested = ClauseCatalog.clauses().values().stream()
                .map(clause -> clause.id() + " " + clause.says().substring(1))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(documented).isEqualTo(tested);
    }

    @Test
    void everyClauseThatJavadocNamesExists() throws IOException {
        Set<String> named = new TreeSet<>();
        try (Stream<Path> files = Files.walk(ROOT.resolve("fiber-spi/src/main/java"))) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".java")).toList()) {
                REFERENCE
                        .matcher(Files.readString(file))
                        .results()
                        .map(MatchResult::group)
                        .forEach(named::add);
            }
        }
        assertThat(named).isNotEmpty();
        assertThat(ClauseCatalog.clauses().keySet()).containsAll(named);
    }

    @Test
    void everyClauseSaysWhereToLook() {
        assertThat(ClauseCatalog.clauses().values()).allSatisfy(clause -> {
            assertThat(clause.says()).isNotBlank().doesNotEndWith(".");
            assertThat(clause.check()).isNotBlank().endsWith(".");
        });
    }
}
