// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** docs/errors.md has the codes that the product has, and quotes what it prints. */
@Tag("documentation")
final class ErrorsPageTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    /** Modules that are no part of the product. */
    private static final Set<String> OTHERS = Set.of("tck", "examples", "benchmarks", "architecture");

    private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\\\n]|\\\\.)*)\"");
    private static final Pattern COMMENT = Pattern.compile("(?s:/\\*.*?\\*/)|(?m:^\\s*//.*$)");
    private static final Pattern CONCATENATION = Pattern.compile("\"\\s*\\+\\s*\"");
    private static final Pattern CODE = Pattern.compile("^FBR-(\\d{3})\\b");
    private static final Pattern SECTION = Pattern.compile("(?ms)^## FBR-(\\d{3})\\n(.*?)(?=^## |\\z)");
    private static final Pattern QUOTE = Pattern.compile("(?m)(?:^> .*\\n?)+");
    private static final Pattern ROW = Pattern.compile("(?m)^\\|(\\d{3}[\\d, –]*)\\|");
    private static final Pattern RANGE = Pattern.compile("(\\d{3})(?:–(\\d{3}))?");

    /** What stands in a quote for a value: in quotation marks or parentheses, or no plain words. */
    private static final Pattern VALUE = Pattern.compile(
            "'[^']*'|\\[[^]]*]|…|\\S*[0-9/=_$<>@*]\\S*|\\S*\\w\\.\\w\\S*|\\b[A-Z]{2,}\\b\\S*|\\S+::\\S+|--?[a-z][a-z-]*");

    private static final int MOST_PIECES = 4;

    private static String page;
    private static final List<String> literals = new ArrayList<>();
    private static final Set<Integer> codes = new TreeSet<>();
    private static final Map<Integer, String> sections = new TreeMap<>();

    @BeforeAll
    static void read() throws IOException {
        page = Files.readString(ROOT.resolve("docs/errors.md"));
        SECTION.matcher(page).results().forEach(each -> sections.put(Integer.valueOf(each.group(1)), each.group(2)));
        for (Path source : sources()) {
            String text = COMMENT.matcher(Files.readString(source)).replaceAll("");
            for (MatchResult literal :
                    matches(LITERAL, CONCATENATION.matcher(text).replaceAll(""))) {
                Matcher code = CODE.matcher(literal.group(1));
                if (code.find()) {
                    codes.add(Integer.valueOf(code.group(1)));
                }
                literals.add(" " + literal.group(1).replace("\\n", " ").replace("\\\"", "\"") + " ");
            }
        }
    }

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module : modules.filter(
                            each -> !OTHERS.contains(each.getFileName().toString()))
                    .toList()) {
                Path main = module.resolve("src/main/java");
                if (Files.isDirectory(main)) {
                    try (Stream<Path> tree = Files.walk(main)) {
                        sources.addAll(tree.filter(each -> each.toString().endsWith(".java"))
                                .toList());
                    }
                }
            }
        }
        return sources;
    }

    private static List<MatchResult> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results().toList();
    }

    @Test
    void sectionsAreThoseOfTheCodesOfTheProduct() {
        assertThat(sections.keySet()).isEqualTo(codes).hasSizeGreaterThan(100);
    }

    @Test
    void eachCodeIsInOneRangeOfTheTable() {
        List<Integer> listed = new ArrayList<>();
        for (MatchResult row : matches(ROW, page)) {
            for (MatchResult range : matches(RANGE, row.group(1))) {
                int first = Integer.parseInt(range.group(1));
                int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
                assertThat(codes).as(row.group(1)).contains(first, last);
                codes.stream().filter(code -> first <= code && code <= last).forEach(listed::add);
            }
        }

        assertThat(listed).containsExactlyInAnyOrderElementsOf(codes);
    }

    @Test
    void quotesAreWhatTheProductPrints() {
        List<String> unknown = new ArrayList<>();
        sections.forEach((code, text) -> {
            for (MatchResult quote : matches(QUOTE, text)) {
                String words = quote.group()
                        .replaceAll("(?m)^> ", "")
                        .replace('\n', ' ')
                        .strip();
                for (String run : VALUE.split(words, -1)) {
                    if (!isPrinted(run.replaceAll("^\\W+|[\\s(,;:.'\\[]+$", ""))) {
                        unknown.add("FBR-" + code + ": '" + run.strip() + "' of: " + words);
                    }
                }
            }
        });

        assertThat(unknown).isEmpty();
    }

    /**
     * Words of a text of the product, or of a few behind each other, as one is put together of others. Of these one may be
     * a single word, such as a name.
     */
    private static boolean isPrinted(String run) {
        return run.isEmpty() || isPrinted(Arrays.asList(run.split(" +", -1)), MOST_PIECES, 1);
    }

    private static boolean isPrinted(List<String> words, int pieces, int singles) {
        if (words.isEmpty() || isInOne(String.join(" ", words))) {
            return true;
        }
        for (int i = words.size() - 1; i > 0 && pieces > 1; i--) {
            int left = singles - (i == 1 ? 1 : 0);
            if (left >= 0
                    && (i == 1 || isInOne(String.join(" ", words.subList(0, i))))
                    && isPrinted(words.subList(i, words.size()), pieces - 1, left)) {
                return true;
            }
        }
        return words.size() == 1 && singles > 0;
    }

    private static boolean isInOne(String words) {
        return literals.stream().anyMatch(literal -> literal.contains(words));
    }
}
