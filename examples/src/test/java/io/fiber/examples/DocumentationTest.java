// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the pages show is there. */
@Tag("documentation")
final class DocumentationTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:)([^)#]*)(?:#([^)]*))?\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+?) *$");
    private static final Pattern FENCED = Pattern.compile("(?ms)^```.*?^```");
    private static final Pattern CODE = Pattern.compile("FBR-\\d{3}");
    private static final Pattern JAVA = Pattern.compile("```(?:java|kotlin)\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern LEFT_OUT = Pattern.compile("(?m)^\\s*(// )?\\.\\.\\..*$");
    private static final Pattern IMPORT = Pattern.compile("(?m)^import ([\\w.]+)\\.\\w+;\\n");
    private static final Pattern COMMENT = Pattern.compile("(?m)(^|\\s)//.*$");
    private static final Pattern INLINE_CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern METHOD = Pattern.compile("[a-z][A-Za-z]*");
    private static final int LINE_LENGTH = 120;

    @Test
    void everyRelativeLinkLeadsToAFileAndItsHeading() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : pages()) {
            for (MatchResult link :
                    matches(LINK, FENCED.matcher(Files.readString(page)).replaceAll(""))) {
                Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
                if (!Files.exists(target)
                        || (link.group(2) != null && !anchors(target).contains(link.group(2)))) {
                    broken.add(ROOT.relativize(page) + " -> " + link.group());
                }
            }
        }

        assertThat(broken).isEmpty();
    }

    /** As GitHub and our site make them. */
    private static Set<String> anchors(Path page) throws IOException {
        return matches(HEADING, FENCED.matcher(Files.readString(page)).replaceAll("")).stream()
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                        .replaceAll("[^a-z0-9 _-]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    @Test
    void javaOfTheFirstPageIsPartOfAnExample() throws IOException {
        assertThat(snippets(ROOT.resolve("README.md")))
                .isNotEmpty()
                .allSatisfy(
                        snippet -> assertThat(isPartOfOne(snippet, programsIn(ROOT.resolve("examples/src/main/java"))))
                                .as(snippet)
                                .isTrue());
    }

    @Test
    void javaOfEveryPageIsPartOfATestedProgram() throws IOException {
        List<String> programs = programsIn(ROOT.resolve("examples/src/main/java"));
        programs.addAll(programsIn(ROOT.resolve("examples/third-party-backend/src")));
        programs.addAll(programsIn(ROOT.resolve("backend-gridengine/src/main/java")));
        programs.addAll(programsIn(ROOT.resolve("examples/libraries/src")));
        for (Path module : modules()) {
            programs.addAll(programsIn(module.resolve("src/test/java")));
        }
        List<String> untested = new ArrayList<>();
        for (Path page : pages()) {
            for (String snippet : snippets(page)) {
                if (!isPartOfOne(snippet, programs)) {
                    untested.add(ROOT.relativize(page) + ":\n" + snippet);
                }
            }
        }

        assertThat(untested).isEmpty();
    }

    /** Of a name alone a call must be there, of anything else the text; three dots stand for arguments. */
    @Test
    void codeForThoseWhoComeFromPythonIsPartOfATest() throws IOException {
        String program = essence(Files.readString(
                ROOT.resolve("examples/src/test/java/io/fiber/examples/ComingFromMultiprocessingTest.java")));
        List<String> missing = new ArrayList<>();
        for (String row : Files.readAllLines(ROOT.resolve("docs/coming-from-multiprocessing.md"))) {
            if (row.startsWith("|`")) {
                for (MatchResult code : matches(INLINE_CODE, row.split("\\|", -1)[2])) {
                    String text = code.group(1);
                    String wanted = METHOD.matcher(text).matches() ? "." + text + "(" : essence(text);
                    String pattern = Pattern.quote(wanted).replace("...", "\\E[^;]*\\Q");
                    if (!Pattern.compile(pattern).matcher(program).find()) {
                        missing.add(text);
                    }
                }
            }
        }

        assertThat(missing).isEmpty();
    }

    @Test
    void linesAreShortUnlessTheyCannotBeBroken() throws IOException {
        List<Path> pages = new ArrayList<>(filesIn(ROOT.resolve("docs")));
        pages.removeIf(page -> !page.toString().endsWith(".md"));
        pages.add(ROOT.resolve("README.md"));
        List<String> tooLong = new ArrayList<>();
        for (Path page : pages) {
            for (String line : Files.readAllLines(page)) {
                if (!line.startsWith("|") && LINK.matcher(line).replaceAll("]").length() > LINE_LENGTH) {
                    tooLong.add(ROOT.relativize(page) + ": " + line);
                }
            }
        }

        assertThat(tooLong)
                .as("lines of more than " + LINE_LENGTH + " characters beside tables and the targets of links")
                .isEmpty();
    }

    private static List<String> snippets(Path page) throws IOException {
        return matches(JAVA, Files.readString(page)).stream()
                .map(snippet -> snippet.group(1))
                .toList();
    }

    private static List<String> programsIn(Path directory) throws IOException {
        List<String> programs = new ArrayList<>();
        for (Path program : Files.isDirectory(directory) ? filesIn(directory) : List.<Path>of()) {
            if (program.toString().matches(".*\\.(java|kt)")) {
                programs.add(essence(Files.readString(program)));
            }
        }
        return programs;
    }

    /** Three dots stand for what a page leaves out. Of the imports a page shows those that its reader needs. */
    private static boolean isPartOfOne(String snippet, List<String> programs) {
        List<MatchResult> imports = matches(IMPORT, snippet);
        String parts = Stream.of(LEFT_OUT.split(IMPORT.matcher(snippet).replaceAll("")))
                .map(part -> Pattern.quote(essence(part)))
                .collect(Collectors.joining(".*"));
        Pattern pattern = Pattern.compile(parts, Pattern.DOTALL);
        return programs.stream()
                .anyMatch(program -> imports.stream().allMatch(each -> knows(program, each))
                        && pattern.matcher(program).find());
    }

    /** Tells whether a program imports a type, or is in its package. */
    private static boolean knows(String program, MatchResult type) {
        return program.contains(essence(type.group())) || program.contains("package" + type.group(1) + ";");
    }

    /** Pages leave out comments, overrides and blanks. */
    private static String essence(String text) {
        return COMMENT.matcher(text).replaceAll("").replace("@Override", "").replaceAll("\\s+", "");
    }

    @Test
    void everyErrorCodeIsExplained() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/errors.md"));
        Set<String> codes = new TreeSet<>();
        for (Path module : modules()) {
            for (Path source : filesIn(module.resolve("src/main/java"))) {
                matches(CODE, Files.readString(source)).forEach(code -> codes.add(code.group()));
            }
        }

        assertThat(codes)
                .hasSizeGreaterThan(10)
                .allSatisfy(code -> assertThat(page).contains("\n## " + code + "\n"));
    }

    @Test
    void examplesAreShort() throws IOException {
        assertThat(filesIn(ROOT.resolve("examples/src/main/java")))
                .allSatisfy(program -> assertThat(Files.readAllLines(program)).hasSizeLessThan(80));
    }

    private static List<Path> modules() throws IOException {
        try (Stream<Path> directories = Files.list(ROOT)) {
            return directories
                    .filter(directory -> Files.isDirectory(directory.resolve("src/main/java")))
                    .toList();
        }
    }

    private static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(filesIn(ROOT.resolve("docs")));
        try (Stream<Path> files = Files.list(ROOT)) {
            pages.addAll(files.filter(Files::isRegularFile).toList());
        }
        return pages.stream().filter(page -> page.toString().endsWith(".md")).toList();
    }

    private static List<Path> filesIn(Path directory) throws IOException {
        try (Stream<Path> tree = Files.walk(directory)) {
            return tree.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static List<MatchResult> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results().toList();
    }
}
