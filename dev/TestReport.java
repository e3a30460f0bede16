// SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Reads the XML reports of all modules and prints the skipped and the failed tests by name, with the reason, then the totals.
 *
 * <p>Run by {@code ./test}; by hand: {@code java dev/TestReport.java <checkout>}.
 */
final class TestReport {
    private static final int LONGEST_CAUSE = 1_000;

    private final List<String> failed = new ArrayList<>();
    private final List<String> skipped = new ArrayList<>();
    private int passed;

    public static void main(final String[] args) throws Exception {
        final TestReport report = new TestReport();
        for (final Path file : reportsBelow(Path.of(args[0]))) {
            report.read(file);
        }
        report.print();
    }

    private static List<Path> reportsBelow(final Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root, 5)) {
            return files.filter(Files::isRegularFile)
                    .filter(TestReport::isReport)
                    .sorted()
                    .toList();
        }
    }

    private static boolean isReport(final Path file) {
        final String folder = file.resolveSibling("").getFileName().toString();
        final String name = file.getFileName().toString();
        return (folder.equals("surefire-reports") || folder.equals("failsafe-reports"))
                && name.startsWith("TEST-")
                && name.endsWith(".xml");
    }

    private void read(final Path file) throws IOException, ParserConfigurationException, SAXException {
        final DocumentBuilder parser = DocumentBuilderFactory.newInstance().newDocumentBuilder();
        parser.setErrorHandler(null);
        final NodeList cases;
        try {
            cases = parser.parse(file.toFile()).getElementsByTagName("testcase");
        } catch (final SAXException e) {
            // A test JVM that was killed leaves half a report.
            failed.add(file.getFileName() + ": unreadable report: " + e.getMessage());
            return;
        }
        for (int i = 0; i < cases.getLength(); i++) {
            count((Element) cases.item(i));
        }
    }

    private void count(final Element testCase) {
        final String name = testCase.getAttribute("classname") + " > " + testCase.getAttribute("name");
        if (has(testCase, "failure") || has(testCase, "error")) {
            failed.add(name + ": " + causeOf(testCase));
        } else if (has(testCase, "skipped")) {
            final Element reason =
                    (Element) testCase.getElementsByTagName("skipped").item(0);
            skipped.add(name + ": " + reasonOf(reason));
        } else {
            passed++;
        }
    }

    /** What the test's exception says, without its stack. */
    private static String causeOf(final Element testCase) {
        final Element fault = (Element) testCase.getElementsByTagName(has(testCase, "failure") ? "failure" : "error")
                .item(0);
        final String text = fault.getTextContent().strip();
        final String cause = text.lines()
                .takeWhile(line -> !line.startsWith("\tat "))
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .collect(Collectors.joining(" | "));
        return cause.isEmpty() ? fault.getAttribute("message") : shortened(cause);
    }

    private static String shortened(final String text) {
        return text.length() <= LONGEST_CAUSE ? text : text.substring(0, LONGEST_CAUSE) + "...";
    }

    private static String reasonOf(final Element skipped) {
        final String message = skipped.getAttribute("message").strip();
        if (!message.isEmpty()) {
            return message;
        }
        // A failed assumption is written as a stack trace; its first line is the exception with its text.
        final String text = skipped.getTextContent().strip();
        return text.isEmpty() ? "no reason given" : text.lines().findFirst().orElseThrow();
    }

    private static boolean has(final Element testCase, final String tag) {
        return testCase.getElementsByTagName(tag).getLength() > 0;
    }

    private void print() {
        printAll("Skipped, and why:", skipped);
        // Last, since of a long output the end is what everybody keeps.
        printAll("Failed:", failed);
        System.out.printf("%d passed, %d failed, %d skipped%n", passed, failed.size(), skipped.size());
    }

    private static void printAll(final String title, final List<String> lines) {
        if (!lines.isEmpty()) {
            System.out.println(title);
            lines.forEach(line -> System.out.println("  " + line));
        }
    }
}
