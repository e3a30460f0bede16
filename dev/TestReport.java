// SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Reads the XML reports of all modules and prints where the time went, the skipped tests by reason, the modules that were not
 * built or not tested, the failed tests, each in one line with its reason, then the totals.
 *
 * <p>Run by {@code ./test}; by hand: {@code java dev/TestReport.java <checkout> [<Maven's last lines>]}.
 */
final class TestReport {
    /** Two lines of a terminal: a list of failures stays one that can be looked over. */
    private static final int LONGEST_CAUSE = 240;

    private static final Pattern FAILED_GOAL = Pattern.compile(
            "\\[ERROR] Failed to execute goal [^:]+:([^:]+):[^:]+:(\\S+) " + ".*on project (\\S+): (.*)");
    private static final Pattern LEFT_OUT = Pattern.compile("\\[INFO] (.+?) \\.+ SKIPPED");
    private static final int SLOWEST = 20;

    private final List<String> failed = new ArrayList<>();
    private final Map<String, List<String>> skipped = new TreeMap<>();
    private final Map<String, Spent> modules = new TreeMap<>();
    private final Map<String, Spent> classes = new TreeMap<>();
    private final List<String> unbuilt = new ArrayList<>();
    private final List<String> untested = new ArrayList<>();
    private int passed;

    /** What the tests of a class or of a module have taken: where classes run beside each other, more than the clock. */
    private static final class Spent {
        private final Set<String> jvms = new HashSet<>();
        private double seconds;
        private int tests;

        void add(final Element suite, final String jvm) {
            seconds += Double.parseDouble(suite.getAttribute("time"));
            tests += suite.getElementsByTagName("testcase").getLength();
            jvms.add(jvm);
        }
    }

    public static void main(final String[] args) throws Exception {
        final Path root = Path.of(args[0]);
        final TestReport report = new TestReport();
        for (final Path file : reportsBelow(root)) {
            report.read(root, file);
        }
        if (args.length > 1) {
            report.readEnding(Files.readAllLines(Path.of(args[1])));
        }
        report.print();
    }

    /** What Maven says of each module; failed tests are known from their reports. */
    private void readEnding(final List<String> lines) {
        for (int i = 0; i < lines.size(); i++) {
            final Matcher goal = FAILED_GOAL.matcher(lines.get(i));
            final Matcher leftOut = LEFT_OUT.matcher(lines.get(i));
            if (leftOut.matches()) {
                untested.add(leftOut.group(1));
            } else if (goal.matches()) {
                final String more = lines.subList(i + 1, lines.size()).stream()
                        .takeWhile(line -> line.startsWith("[ERROR] "))
                        .takeWhile(line -> !FAILED_GOAL.matcher(line).matches())
                        .map(line -> line.substring("[ERROR] ".length()))
                        .takeWhile(line -> !line.startsWith("-> [Help") && !line.startsWith("To see the full"))
                        .collect(Collectors.joining(" "));
                final String text = goal.group(4) + " " + more;
                final boolean tests =
                        text.contains("There are test failures") || text.contains("individual test results");
                if (!tests || text.contains("The forked VM")) {
                    unbuilt.add(goal.group(3) + ", " + goal.group(2) + ": " + shortened(text));
                }
            }
        }
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
        // Those of the profile quick lie one directory deeper.
        return file.resolveSibling("..").normalize().endsWith("target")
                && (folder.equals("surefire-reports") || folder.equals("failsafe-reports"))
                && name.startsWith("TEST-")
                && name.endsWith(".xml");
    }

    private void read(final Path root, final Path file) throws IOException, ParserConfigurationException, SAXException {
        final DocumentBuilder parser = DocumentBuilderFactory.newInstance().newDocumentBuilder();
        parser.setErrorHandler(null);
        final Element suite;
        try {
            suite = parser.parse(file.toFile()).getDocumentElement();
        } catch (final SAXException e) {
            // A test JVM that was killed leaves half a report.
            failed.add(file.getFileName() + ": unreadable report: " + e.getMessage());
            return;
        }
        final NodeList cases = suite.getElementsByTagName("testcase");
        for (int i = 0; i < cases.getLength(); i++) {
            count((Element) cases.item(i));
        }
        final Path module = root.relativize(file).getParent().getParent().getParent();
        final String jvm = module + " " + jvmOf(suite);
        modules.computeIfAbsent(module.toString(), key -> new Spent()).add(suite, jvm);
        // Those of a nested class count for the class around it.
        classes.computeIfAbsent(suite.getAttribute("name").replaceAll("[$].*", ""), key -> new Spent())
                .add(suite, jvm);
    }

    /** Returns what no other JVM was started with: the files that tell it what to run. */
    private static String jvmOf(final Element suite) {
        final NodeList properties = suite.getElementsByTagName("property");
        for (int i = 0; i < properties.getLength(); i++) {
            final Element property = (Element) properties.item(i);
            if (property.getAttribute("name").equals("sun.java.command")) {
                return property.getAttribute("value");
            }
        }
        return "";
    }

    private void count(final Element testCase) {
        final String name = testCase.getAttribute("classname") + " > " + testCase.getAttribute("name");
        if (has(testCase, "failure") || has(testCase, "error")) {
            failed.add(name + ": " + causeOf(testCase));
        } else if (has(testCase, "skipped")) {
            final Element reason =
                    (Element) testCase.getElementsByTagName("skipped").item(0);
            skipped.computeIfAbsent(reasonOf(reason), key -> new ArrayList<>()).add(shortName(name));
        } else {
            passed++;
        }
    }

    /** The number of a contract's clause says enough. */
    private static String shortName(final String name) {
        return name.replaceFirst("^.*\\[([A-Z]+-\\d+)\\] .*$", "$1");
    }

    /** What the test's exception says, without its stack. */
    private static String causeOf(final Element testCase) {
        final Element fault = (Element) testCase.getElementsByTagName(has(testCase, "failure") ? "failure" : "error")
                .item(0);
        final String text = fault.getTextContent().strip();
        final String cause =
                text.lines().takeWhile(line -> !line.startsWith("\tat ")).collect(Collectors.joining(" "));
        return shortened(cause.isBlank() ? fault.getAttribute("message") : cause);
    }

    private static String shortened(final String text) {
        final String line = text.strip().replaceAll("\\s+", " ");
        return line.length() <= LONGEST_CAUSE ? line : line.substring(0, LONGEST_CAUSE) + "...";
    }

    private static String reasonOf(final Element skipped) {
        final String message = skipped.getAttribute("message").strip();
        // A failed assumption may be written as a stack trace; its first line is the exception with its text.
        final String text = message.isEmpty() ? skipped.getTextContent().strip() : message;
        final String first = text.lines().findFirst().orElse("no reason given");
        return first.replaceFirst("^\\S*TestAbortedException: (Assumption failed: )?", "");
    }

    private static boolean has(final Element testCase, final String tag) {
        return testCase.getElementsByTagName(tag).getLength() > 0;
    }

    private void print() {
        printTimes();
        printAll(
                "Skipped, because:",
                skipped.entrySet().stream()
                        .map(reason -> reason.getKey() + ": " + String.join(", ", reason.getValue()))
                        .toList());
        // Last, where a reader of a long output looks.
        printAll("Not built:", unbuilt);
        if (!untested.isEmpty()) {
            System.out.println("Not tested, because a module that they need failed: " + String.join(", ", untested));
        }
        printAll("Failed:", failed);
        System.out.printf(
                "%d passed, %d failed, %d skipped%n",
                passed,
                failed.size(),
                skipped.values().stream().mapToInt(List::size).sum());
    }

    private void printTimes() {
        System.out.println("Slowest classes:");
        classes.entrySet().stream()
                .sorted(Comparator.comparingDouble((Map.Entry<String, Spent> each) -> -each.getValue().seconds))
                .limit(SLOWEST)
                .forEach(each -> System.out.printf(
                        "  %7.1f s  %4d tests  %s%n", each.getValue().seconds, each.getValue().tests, each.getKey()));
        System.out.println("Modules, the time of their tests added up:");
        modules.forEach((module, spent) -> System.out.printf(
                "  %7.1f s  %4d tests  %2d JVMs  %s%n", spent.seconds, spent.tests, spent.jvms.size(), module));
        System.out.printf(
                "  %7.1f s  %4d tests  %2d JVMs%n",
                modules.values().stream().mapToDouble(spent -> spent.seconds).sum(),
                modules.values().stream().mapToInt(spent -> spent.tests).sum(),
                modules.values().stream().mapToInt(spent -> spent.jvms.size()).sum());
    }

    private static void printAll(final String title, final List<String> lines) {
        if (!lines.isEmpty()) {
            System.out.println(title);
            lines.forEach(line -> System.out.println("  " + line));
        }
    }
}
