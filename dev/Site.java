// SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.HeadingAnchorExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/**
 * Writes the documentation as a folder that can be published: {@code java -cp LIBRARIES dev/Site.java ROOT TARGET}. The sidebar
 * follows {@code docs/index.md}. A source file or directory that a page links to becomes a page, a picture is copied. Ends with 1
 * if a link leads nowhere or if {@code docs/index.md} leaves out a page.
 */
final class Site {
    private static final Path PARTS = Path.of("dev/pages");
    private static final List<Extension> EXTENSIONS =
            List.of(TablesExtension.create(), HeadingAnchorExtension.create());
    private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();
    private static final HtmlRenderer RENDERER =
            HtmlRenderer.builder().extensions(EXTENSIONS).build();
    /** The title of a group of pages, or a link to a page. */
    private static final Pattern ENTRY =
            Pattern.compile("(?m)^(?:\\*\\*|#{2,} +)(.+?)(?:\\*\\*)?$|\\[([^]]+)]\\(([^)#]+\\.md)\\)");

    private static final Pattern TAG = Pattern.compile("<[a-zA-Z](?:[^>\"]|\"[^\"]*\")*>");
    private static final Pattern ADDRESS = Pattern.compile("\\b(href|src|srcset)=\"([^\"]*)\"");
    private static final Pattern ID = Pattern.compile(" id=\"([^\"]+)\"");
    private static final Pattern TITLE = Pattern.compile("(?s)<h1[^>]*>(.*?)</h1>");
    private static final Pattern HEADING = Pattern.compile("(?s)<h([2-6]) id=\"([^\"]+)\">(.*?)</h\\1>");
    private static final Pattern CODE_IN_TEXT = Pattern.compile("(?<!<pre tabindex=\"0\">)<code>([^<]*)</code>");
    /** Where a long name may be broken. */
    private static final Pattern BREAK = Pattern.compile("(?<=[\\w)][.(,/])(?=[a-zA-Z])");

    private static final Pattern PICTURE = Pattern.compile(".*\\.(png|svg)");
    private static final Pattern NOT_SOURCE = Pattern.compile("(.*/)?(target|build|\\.[^/]*)(/.*)?");
    private static final Pattern JAVADOC_OF_TYPE = Pattern.compile("io\\..*/([A-Z]\\w*(?:\\.[A-Z]\\w*)*)\\.html");
    private static final Pattern FIRST_COMMENT = Pattern.compile("(?s)<div class=\"block\">(.*?)</div>");
    private static final int FEWEST_CONTENTS = 3;

    private final Path root;
    private final Path target;
    /** Titles by page, in the order of the sidebar. */
    private final Map<Path, String> titles = new LinkedHashMap<>();
    /** The title of the group that begins with a page. */
    private final Map<Path, String> groups = new LinkedHashMap<>();

    private final Set<Path> sources = new TreeSet<>();
    private final List<String> searchEntries = new ArrayList<>();
    private final Set<String> faults = new TreeSet<>();

    private Site(Path root, Path target) {
        this.root = root;
        this.target = target;
    }

    public static void main(String[] arguments) throws IOException {
        Site site = new Site(Path.of(arguments[0]).toRealPath(), Path.of(arguments[1]));
        site.collectPages();
        site.writePages();
        site.writeSources();
        site.addJavadocToSearch();
        for (String part : List.of("site.css", "site.js")) {
            site.copy(PARTS.resolve(part), part);
        }
        site.write("search.js", "const SEARCH_ENTRIES = [\n" + String.join(",\n", site.searchEntries) + "\n];\n");
        site.faults.forEach(System.err::println);
        System.out.println(site.titles.size() + " pages and " + site.sources.size() + " of source code in "
                + site.target + ", " + site.faults.size() + " faults");
        System.exit(site.faults.isEmpty() ? 0 : 1);
    }

    private void collectPages() throws IOException {
        Path contents = root.resolve("docs/index.md");
        String group = null;
        Matcher entry = ENTRY.matcher(Files.readString(contents));
        while (entry.find()) {
            if (entry.group(1) != null) {
                group = entry.group(1);
                continue;
            }
            Path page = contents.resolveSibling(entry.group(3)).normalize();
            String title = entry.group(2).replaceAll("\\s+", " ").replace("`", "");
            if (titles.putIfAbsent(page, title.substring(0, 1).toUpperCase(Locale.ROOT) + title.substring(1)) == null
                    && group != null) {
                groups.put(page, group);
                group = null;
            }
        }
        titles.put(contents, "All pages");
        try (Stream<Path> files = Stream.concat(Files.list(root.resolve("docs")), Files.list(root))) {
            files.filter(file -> file.toString().endsWith(".md") && !titles.containsKey(file))
                    .forEach(file -> faults.add(root.relativize(file) + " is not in docs/index.md"));
        }
    }

    private void writePages() throws IOException {
        Map<Path, String> bodies = new LinkedHashMap<>();
        for (Path page : titles.keySet()) {
            Node document = PARSER.parse(Files.readString(page));
            document.accept(new AbstractVisitor() {
                @Override
                public void visit(FencedCodeBlock block) {
                    HtmlBlock coloured = new HtmlBlock();
                    coloured.setLiteral(code(block.getInfo(), block.getLiteral()));
                    block.insertBefore(coloured);
                    block.unlink();
                }
            });
            bodies.put(page, withAddresses(page, RENDERER.render(document)));
        }
        for (Map.Entry<Path, String> page : bodies.entrySet()) {
            String body = page.getValue();
            checkHeadings(page.getKey(), bodies);
            addToSearch(page.getKey(), body);
            write(
                    address(page.getKey()),
                    html(page.getKey(), plain(first(TITLE, body)), contents(body), decorated(body)));
        }
    }

    /** Replaces the address of each link and picture, of Markdown or of HTML, by its address on the site. */
    private String withAddresses(Path page, String body) {
        return TAG.matcher(body)
                .replaceAll(tag -> Matcher.quoteReplacement(ADDRESS.matcher(tag.group())
                        .replaceAll(link -> Matcher.quoteReplacement(
                                link.group(1) + "=\"" + address(page, link.group(2)) + "\""))));
    }

    private String address(Path page, String destination) {
        if (destination.matches("(https?|mailto):.*") || destination.startsWith("#")) {
            return destination;
        }
        String[] parts = destination.split("#", 2);
        Path file = page.resolveSibling(parts[0]).normalize();
        if (!file.startsWith(root) || !Files.exists(file)) {
            faults.add(root.relativize(page) + " -> " + destination + ": there is no such file");
            return destination;
        }
        try {
            if (isPicture(file)) {
                copy(file, address(file));
            } else if (!titles.containsKey(file)) {
                sources.add(file);
                if (Files.isDirectory(file)) {
                    sources.addAll(sourcesIn(file));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return address(file) + (parts.length > 1 ? "#" + parts[1] : "");
    }

    /** The address of a file of the repository. */
    private String address(Path file) {
        String path = root.relativize(file).toString();
        if (!titles.containsKey(file)) {
            return isPicture(file) ? path : "source/" + path + ".html";
        }
        return switch (path) {
            case "README.md" -> "index.html";
            case "docs/index.md" -> "pages.html";
            default -> file.getFileName().toString().toLowerCase(Locale.ROOT).replaceAll("md$", "html");
        };
    }

    private static boolean isPicture(Path file) {
        return PICTURE.matcher(file.toString()).matches();
    }

    private List<Path> sourcesIn(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> Files.isRegularFile(file) && !isPicture(file))
                    .filter(file -> !NOT_SOURCE
                            .matcher(root.relativize(file).toString())
                            .matches())
                    .sorted()
                    .toList();
        }
    }

    private void checkHeadings(Path page, Map<Path, String> bodies) {
        ADDRESS.matcher(bodies.get(page))
                .results()
                .map(link -> link.group(2).split("#", 2))
                .forEach(link -> {
                    bodies.forEach((other, body) -> {
                        boolean leadsThere = link[0].isEmpty() ? other.equals(page) : link[0].equals(address(other));
                        if (leadsThere && link.length > 1 && !all(ID, body).contains(link[1])) {
                            faults.add(root.relativize(page) + " -> " + link[0] + "#" + link[1]
                                    + ": there is no such heading");
                        }
                    });
                });
    }

    private void writeSources() throws IOException {
        for (Path source : sources) {
            String path = root.relativize(source).toString();
            String body = Files.isDirectory(source)
                    ? sourcesIn(source).stream()
                            .map(file -> source.relativize(file).toString())
                            .map(file -> "<li><a href=\"" + source.getFileName() + "/" + file + ".html\">" + file
                                    + "</a></li>")
                            .collect(Collectors.joining("\n", "<ul>\n", "\n</ul>"))
                    : code(language(source), Files.readString(source));
            write(address(source), html(source, path, "", "<h1 class=\"path\">" + path + "</h1>\n" + body));
        }
    }

    private static String language(Path file) throws IOException {
        String name = file.getFileName().toString();
        return name.contains(".") || !Files.readString(file).startsWith("#!")
                ? name.substring(name.lastIndexOf('.') + 1)
                : "bash";
    }

    private static String code(String language, String text) {
        return "<pre tabindex=\"0\"><code>" + Colours.html(language, text) + "</code></pre>";
    }

    /** Lets tables scroll, long names be broken, and headings be linked to. */
    private static String decorated(String body) {
        String narrow = CODE_IN_TEXT
                .matcher(body)
                .replaceAll(code -> Matcher.quoteReplacement(
                        "<code>" + BREAK.matcher(code.group(1)).replaceAll("<wbr>") + "</code>"));
        return HEADING.matcher(narrow)
                .replaceAll(
                        "<h$1 id=\"$2\">$3<a class=\"anchor\" href=\"#$2\" aria-label=\"Link to this section\">#</a></h$1>")
                .replace("<table>", "<div class=\"table\" tabindex=\"0\"><table>")
                .replace("</table>", "</table></div>");
    }

    private static String contents(String body) {
        List<String> links = HEADING.matcher(body)
                .results()
                .filter(heading -> heading.group(1).equals("2"))
                .map(heading -> link("#" + heading.group(2), plain(heading.group(3)), ""))
                .toList();
        return links.size() < FEWEST_CONTENTS
                ? ""
                : "<aside>\n<h2>On this page</h2>\n" + String.join("\n", links) + "\n</aside>";
    }

    private String html(Path page, String title, String contents, String body) throws IOException {
        String up = "../".repeat(Path.of(address(page)).getNameCount() - 1);
        String sidebar = titles.keySet().stream()
                .map(each -> (groups.containsKey(each) ? "<h2>" + escaped(groups.get(each)) + "</h2>\n" : "")
                        + link(up + address(each), titles.get(each), each.equals(page) ? " aria-current=\"page\"" : ""))
                .collect(Collectors.joining("\n"));
        return Files.readString(PARTS.resolve("page.html"))
                .replace("@title@", escaped(title))
                .replace("@up@", up)
                .replace("@sidebar@", sidebar)
                .replace("@contents@", contents)
                .replace("@body@", body);
    }

    private static String link(String address, String text, String attributes) {
        return "<a href=\"" + address + "\"" + attributes + ">" + escaped(text) + "</a>";
    }

    private void addToSearch(Path page, String body) {
        String title = plain(first(TITLE, body));
        String address = address(page);
        String heading = title;
        int begin = 0;
        for (MatchResult next : HEADING.matcher(body).results().toList()) {
            addToSearch(title, heading, address, body.substring(begin, next.start()));
            heading = plain(next.group(3));
            address = address(page) + "#" + next.group(2);
            begin = next.end();
        }
        addToSearch(title, heading, address, body.substring(begin));
    }

    /** Each type has an entry, with the first part of its comment. */
    private void addJavadocToSearch() throws IOException {
        Path javadoc = target.resolve("javadoc");
        if (Files.isDirectory(javadoc)) {
            try (Stream<Path> files = Files.walk(javadoc)) {
                for (Path file : files.sorted().toList()) {
                    Matcher type =
                            JAVADOC_OF_TYPE.matcher(javadoc.relativize(file).toString());
                    if (type.matches()) {
                        String comment = first(FIRST_COMMENT, Files.readString(file));
                        addToSearch(
                                "Javadoc",
                                type.group(1),
                                target.relativize(file).toString(),
                                comment);
                    }
                }
            }
        }
    }

    private void addToSearch(String page, String heading, String address, String body) {
        searchEntries.add(
                Stream.of(page, heading, address, plain(TITLE.matcher(body).replaceAll("")))
                        .map(text -> '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"')
                        .collect(Collectors.joining(",", "[", "]")));
    }

    private static String first(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? matcher.group(1) : "";
    }

    private static Set<String> all(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(match -> match.group(1)).collect(Collectors.toSet());
    }

    /** The text of HTML, in one line. */
    private static String plain(String html) {
        return html.replaceAll("</?[a-zA-Z][^>]*>", "")
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
                .replace("&nbsp;", " ")
                .replace("&amp;", "&")
                .replaceAll("\\s+", " ")
                .strip();
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    private void copy(Path file, String address) throws IOException {
        Path copy = target.resolve(address);
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
    }

    private void write(String address, String text) throws IOException {
        Path file = target.resolve(address);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /** Colours of code: its tokens in spans, whose classes are the names of the groups. */
    private static final class Colours {
        private static final List<String> KINDS = List.of("comment", "string", "name", "keyword", "number");
        private static final String STRING =
                "\"\"\"(?s:.*?)\"\"\"|\"[^\"\\\\\\n]*(?:\\\\.[^\"\\\\\\n]*)*\"|'[^'\\\\\\n]*(?:\\\\.[^'\\\\\\n]*)*'";
        private static final Pattern JAVA = tokens(
                "//.*|/\\*(?s:.*?)\\*/",
                "@\\w+|\\b[A-Z]\\w*",
                words(
                        "abstract assert boolean break byte case catch char class continue default do double else enum exports extends"
                                + " false final finally float for if implements import instanceof int interface long native new null"
                                + " package permits private protected public record requires return sealed short static"
                                + " super switch synchronized this throw throws transient transitive true try val var void volatile"
                                + " while yield"));
        private static final Pattern SHELL = tokens(
                "(?<!\\S)#.*",
                "\\$\\w+|\\$\\{[^}\\n]*}|(?<!\\S)--?[a-zA-Z][\\w.-]*",
                "(?<![\\w.:/-])"
                        + words("case do done elif else esac exit export fi for function if return then until while")
                        + "(?![\\w.:/-])");
        private static final Pattern PYTHON = tokens(
                "#.*",
                "@\\w+|\\b[A-Z]\\w*",
                words(
                        "and as assert async await break class continue def del elif else except False finally for from global if"
                                + " import in is lambda None nonlocal not or pass raise return True try while with yield"));
        private static final Pattern XML = tokens("<!--(?s:.*?)-->", "</?[\\w:.-]+|[/?]?>", "[\\w:.-]+(?==\")");
        private static final Pattern YAML =
                tokens("(?<!\\S)#.*", "^[ -]*[\\w./-]+(?=:(?:\\s|$)|=)", words("true false null"));

        private static Pattern tokens(String comment, String name, String keyword) {
            return Pattern.compile(
                    "(?<comment>" + comment + ")|(?<string>" + STRING + ")|(?<name>" + name + ")|(?<keyword>" + keyword
                            + ")|(?<number>\\b\\d[\\w.]*)",
                    Pattern.MULTILINE);
        }

        private static String words(String words) {
            return "\\b(?:" + words.replace(' ', '|') + ")\\b";
        }

        static String html(String language, String text) {
            Pattern tokens = switch (language) {
                case "java", "groovy", "gradle", "kts" -> JAVA;
                case "bash", "sh" -> SHELL;
                case "python", "py" -> PYTHON;
                case "xml", "html" -> XML;
                case "yaml", "yml", "properties" -> YAML;
                default -> null;
            };
            if (tokens == null) {
                return escaped(text);
            }
            StringBuilder html = new StringBuilder();
            int end = 0;
            for (Matcher token = tokens.matcher(text); token.find(); end = token.end()) {
                String kind = KINDS.stream()
                        .filter(each -> token.group(each) != null)
                        .findFirst()
                        .orElseThrow();
                html.append(escaped(text.substring(end, token.start())));
                html.append("<span class=\"")
                        .append(kind)
                        .append("\">")
                        .append(escaped(token.group()))
                        .append("</span>");
            }
            return html.append(escaped(text.substring(end))).toString();
        }
    }
}
