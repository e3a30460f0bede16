// SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
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
 * The tables of {@code docs/backends.md}: how much of each contract each backend keeps, from the XML reports of the tests, and
 * what it declares, from its provider.
 *
 * <p>{@code java dev/BackendMatrix.java .} prints what the reports of this checkout say otherwise, and ends with 1 when there is
 * such a cell; {@code java dev/BackendMatrix.java . --write} writes it. What has no report stays as it is.
 */
final class BackendMatrix {
    private static final String PAGE = "docs/backends.md";
    private static final String NOT_RUN = "not run";
    private static final List<String> COLUMNS =
            List.of("local", "slurm", "slurm over SSH", "docker", "kubernetes", "kubernetes in a pod");
    private static final List<String> ROWS = List.of(
            "Provider",
            "Submission",
            "Cancellation",
            "Events",
            "Capabilities",
            "Bootstrap",
            "Logs",
            "Close",
            "World",
            "Threads",
            "Platform",
            "Orphans",
            "Detached",
            "Queue",
            "Pipe",
            "Manager",
            "Ring");
    private static final List<String> CAPABILITIES = List.of(
            "LOGS",
            "CONSOLE",
            "CPU_LIMIT",
            "MEMORY_LIMIT",
            "GPU",
            "IMAGE",
            "VOLUMES",
            "LABELS",
            "TIME_LIMIT",
            "RESTARTS",
            "WORKING_DIRECTORY",
            "SHARED_FILES",
            "PREEMPTION_NOTICE");

    /** Of a clause by its group, or a test of another contract by its group: {@code BackendTck$Events}, {@code SshObjectsKit.Queues}. */
    private static final Pattern GROUP =
            Pattern.compile("(?:BackendTck\\$|[. ])(\\w+)(?:[.]| > )\\[BKD-|(Queue|Pipe|Manager|Ring)(?:Tck\\$|s[.])");

    private static final Pattern NOT_MEANT = Pattern.compile(
            "does not declare \\[|; this clause is for backends without it|does not hand the bootstrap over by"
                    + "|declares every capability that a spec can ask for");
    private static final Pattern CELL = Pattern.compile("(\\d+)(?: of (\\d+))?");

    private enum Outcome {
        PASSED,
        NOT_MEANT,
        SKIPPED,
        FAILED
    }

    /** How many tests have passed of those that are meant for a backend. */
    private record Cell(long passed, long meant, long failed) {
        static Cell of(final Map<String, Outcome> tests) {
            final long notMeant = count(tests, Outcome.NOT_MEANT);
            return new Cell(count(tests, Outcome.PASSED), tests.size() - notMeant, count(tests, Outcome.FAILED));
        }

        private static long count(final Map<String, Outcome> tests, final Outcome outcome) {
            return tests.values().stream().filter(each -> each == outcome).count();
        }

        /** A run that leaves tests out says nothing against what the page has of them. */
        boolean contradicts(final String written) {
            final Matcher cell = CELL.matcher(written);
            return failed > 0
                    || !cell.matches()
                    || passed > Long.parseLong(cell.group(1))
                    || meant > Long.parseLong(cell.group(cell.group(2) == null ? 1 : 2));
        }

        @Override
        public String toString() {
            return passed == meant ? Long.toString(passed) : passed + " of " + meant;
        }
    }

    /** By column and row, what became of each test. */
    private final Map<String, Map<String, Outcome>> results = new TreeMap<>();

    private final Path root;

    private BackendMatrix(final Path root) {
        this.root = root;
    }

    public static void main(final String[] args) throws Exception {
        final BackendMatrix matrix = new BackendMatrix(Path.of(args[0]));
        matrix.readReports();
        if (List.of(args).contains("--write")) {
            matrix.write();
        } else if (matrix.isStale()) {
            System.exit(1);
        }
    }

    private void readReports() throws IOException, ParserConfigurationException {
        try (Stream<Path> modules = Files.list(root)) {
            for (final Path module :
                    modules.filter(BackendMatrix::isBackend).sorted().toList()) {
                final Path reports = module.resolve("target/surefire-reports");
                if (Files.isDirectory(reports)) {
                    readReports(module.getFileName().toString().substring("backend-".length()), reports);
                }
            }
        }
    }

    private static boolean isBackend(final Path module) {
        return module.getFileName().toString().startsWith("backend-");
    }

    private void readReports(final String backend, final Path reports)
            throws IOException, ParserConfigurationException {
        try (Stream<Path> files = Files.list(reports)) {
            for (final Path file : files.filter(each -> each.toString().endsWith(".xml"))
                    .sorted()
                    .toList()) {
                final NodeList cases = testCases(file);
                for (int i = 0; i < cases.getLength(); i++) {
                    read(backend, (Element) cases.item(i));
                }
            }
        }
    }

    /** Half a report, which a test JVM that was killed leaves, is told by TestReport. */
    private static NodeList testCases(final Path file) throws IOException, ParserConfigurationException {
        final DocumentBuilder parser = DocumentBuilderFactory.newInstance().newDocumentBuilder();
        parser.setErrorHandler(null);
        try {
            return parser.parse(file.toFile()).getElementsByTagName("testcase");
        } catch (final SAXException e) {
            return parser.newDocument().getElementsByTagName("testcase");
        }
    }

    private void read(final String backend, final Element test) {
        final String name = test.getAttribute("classname") + "." + test.getAttribute("name");
        final Matcher group = GROUP.matcher(name);
        if (group.find()) {
            final String column = column(backend, name);
            final String row = Optional.ofNullable(group.group(1)).orElse(group.group(2));
            // Of a test that has run in several places, the worst counts; one that was left out somewhere has run
            // elsewhere.
            results.computeIfAbsent(column + "/" + row, key -> new TreeMap<>())
                    .merge(name.substring(group.start()), outcome(test), BackendMatrix::both);
        }
    }

    /** Where the master was is in the name of the kit, or of the test that has run it. */
    private static String column(final String backend, final String test) {
        if (test.contains(".Ssh")) {
            return backend + " over SSH";
        }
        return test.contains("InAPod") ? backend + " in a pod" : backend;
    }

    private static Outcome both(final Outcome one, final Outcome other) {
        return one == Outcome.FAILED || other == Outcome.FAILED
                ? Outcome.FAILED
                : one == Outcome.PASSED || other == Outcome.PASSED ? Outcome.PASSED : one;
    }

    private static Outcome outcome(final Element test) {
        if (test.getElementsByTagName("failure").getLength()
                        + test.getElementsByTagName("error").getLength()
                > 0) {
            return Outcome.FAILED;
        }
        final NodeList skipped = test.getElementsByTagName("skipped");
        if (skipped.getLength() == 0) {
            return Outcome.PASSED;
        }
        final Element reason = (Element) skipped.item(0);
        return NOT_MEANT
                        .matcher(reason.getAttribute("message") + reason.getTextContent())
                        .find()
                ? Outcome.NOT_MEANT
                : Outcome.SKIPPED;
    }

    private boolean isStale() throws IOException {
        final Map<String, String> written = written();
        final List<String> stale = new ArrayList<>();
        results.forEach((place, tests) -> {
            final String[] parts = place.split("/", 2);
            final Cell cell = Cell.of(tests);
            final String before = written.getOrDefault(place, "nothing");
            if (COLUMNS.contains(parts[0]) && ROWS.contains(parts[1]) && cell.contradicts(before)) {
                stale.add("  " + parts[1] + " of " + parts[0] + ": the page says " + before + ", the reports say "
                        + cell);
            }
        });
        final String now = page(written);
        if (stale.isEmpty()
                && !capabilitiesOf(Files.readString(root.resolve(PAGE))).equals(capabilitiesOf(now))) {
            stale.add("  capabilities: the providers declare others");
        }
        if (!stale.isEmpty()) {
            System.out.println(
                    PAGE + " is stale; after a whole run 'java dev/BackendMatrix.java . --write' writes it:");
            stale.forEach(System.out::println);
        }
        return !stale.isEmpty();
    }

    private static String capabilitiesOf(final String page) {
        return page.lines()
                .filter(line -> CAPABILITIES.stream().anyMatch(each -> line.startsWith("|" + each + "|")))
                .collect(Collectors.joining("\n"));
    }

    /** Returns the cells of the page by column and row. */
    private Map<String, String> written() throws IOException {
        final Map<String, String> cells = new LinkedHashMap<>();
        for (final String line : Files.readAllLines(root.resolve(PAGE))) {
            final List<String> words =
                    Arrays.stream(line.split("\\|")).map(String::strip).toList();
            if (words.size() == COLUMNS.size() + 2 && ROWS.contains(words.get(1))) {
                for (int i = 0; i < COLUMNS.size(); i++) {
                    cells.put(COLUMNS.get(i) + "/" + words.get(1), words.get(i + 2));
                }
            }
        }
        return cells;
    }

    private void write() throws IOException {
        final Map<String, String> cells = written();
        results.forEach((place, tests) -> cells.put(place, Cell.of(tests).toString()));
        Files.writeString(root.resolve(PAGE), page(cells));
    }

    private static String row(final String line) {
        return line.startsWith("|") ? line.split("\\|")[1].strip() : "";
    }

    private String page(final Map<String, String> cells) throws IOException {
        final List<String> lines = new ArrayList<>();
        for (final String line : Files.readAllLines(root.resolve(PAGE))) {
            final String row = row(line);
            if (ROWS.contains(row)) {
                lines.add(line(row, column -> cells.getOrDefault(column + "/" + row, NOT_RUN)));
            } else if (CAPABILITIES.contains(row)) {
                final List<String> declaring = declaring(row);
                lines.add(line(row, column -> declaring.contains(column.split(" ")[0]) ? "yes" : "no"));
            } else {
                lines.add(line);
            }
        }
        return String.join("\n", lines) + "\n";
    }

    private static String line(final String row, final UnaryOperator<String> cell) {
        return COLUMNS.stream().map(cell).collect(Collectors.joining("|", "|" + row + "|", "|"));
    }

    /** Clause BKD-103 sees to it that a provider declares what its source says here. */
    private List<String> declaring(final String capability) throws IOException {
        final List<String> backends = new ArrayList<>();
        for (final String backend : COLUMNS) {
            final Path sources = root.resolve("backend-" + backend + "/src/main/java");
            if (Files.isDirectory(sources)) {
                try (Stream<Path> files = Files.walk(sources)) {
                    for (final Path file : files.filter(each -> each.toString().endsWith("BackendProvider.java"))
                            .toList()) {
                        if (Files.readString(file).contains("Capability." + capability)) {
                            backends.add(backend);
                        }
                    }
                }
            }
        }
        return backends;
    }
}
