// SPDX-License-Identifier: Apache-2.0
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.HeadingAnchorExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/**
 * The documentation as a site: {@code java -cp commonmark... dev/Site.java ROOT TARGET}. The order of the sidebar is that of
 * {@code docs/index.md}. Ends with 1 when a link leads nowhere or a page stands in no list.
 */
final class Site {
    private static final List<Extension> EXTENSIONS =
            List.of(TablesExtension.create(), HeadingAnchorExtension.create());
    private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();
    private static final HtmlRenderer RENDERER =
            HtmlRenderer.builder().extensions(EXTENSIONS).build();
    private static final Pattern ENTRY = Pattern.compile("\\[([^]]+)]\\(([^)#]+\\.md)\\)");
    private static final Pattern ID = Pattern.compile(" id=\"([^\"]+)\"");
    private static final Pattern HREF = Pattern.compile(" href=\"([^\"]+)\"");
    private static final Pattern TITLE = Pattern.compile("(?m)^# +(.+)$");
    private static final String STYLE = """
            :root { color-scheme: light dark; }
            body { margin: 0; font: 16px/1.5 system-ui, sans-serif; display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
            nav { padding: 1.5rem; border-right: 1px solid #8884; min-height: 100vh; box-sizing: border-box; }
            nav a { display: block; padding: .15rem 0; text-decoration: none; }
            nav a.here { font-weight: 600; }
            main { padding: 1rem 2.5rem 4rem; max-width: 60rem; }
            pre { overflow-x: auto; padding: .8rem 1rem; background: #8881; border-radius: .4rem; }
            code { font: .9em/1.45 ui-monospace, monospace; }
            table { border-collapse: collapse; display: block; overflow-x: auto; }
            img { max-width: 100%; }
            main { overflow-wrap: break-word; }
            td:not(:first-child) code { overflow-wrap: anywhere; }
            th, td { border: 1px solid #8884; padding: .3rem .6rem; text-align: left; vertical-align: top; }
            @media (max-width: 50rem) {
              body { display: block; }
              nav { min-height: 0; border: 0; }
              nav a { display: inline-block; margin-right: .8rem; }
              main { padding: 0 1rem 2rem; }
            }
            """;

    private final Path root;
    private final Path target;
    /** Titles by page, in the order of the sidebar. */
    private final Map<Path, String> pages = new LinkedHashMap<>();

    private final Map<Path, String> bodies = new TreeMap<>();
    private final List<String> faults = new ArrayList<>();

    private Site(Path root, Path target) {
        this.root = root;
        this.target = target;
    }

    public static void main(String[] arguments) throws IOException {
        Site site = new Site(Path.of(arguments[0]).toAbsolutePath().normalize(), Path.of(arguments[1]));
        site.collect();
        site.render();
        site.checkLinks();
        site.faults.forEach(System.err::println);
        System.out.println(site.pages.size() + " pages in " + site.target + ", " + site.faults.size() + " faults");
        System.exit(site.faults.isEmpty() ? 0 : 1);
    }

    private void collect() throws IOException {
        Path index = root.resolve("docs/index.md");
        pages.put(index, "Documentation");
        Matcher entry = ENTRY.matcher(Files.readString(index));
        while (entry.find()) {
            Path page = index.resolveSibling(entry.group(2)).normalize();
            String title = entry.group(1).replace("`", "");
            pages.putIfAbsent(page, Character.toUpperCase(title.charAt(0)) + title.substring(1));
        }
        try (Stream<Path> files = Stream.concat(Files.list(root.resolve("docs")), Files.list(root))) {
            for (Path page : files.filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList()) {
                if (!pages.containsKey(page)) {
                    faults.add(root.relativize(page) + " is not named in docs/index.md");
                }
            }
        }
    }

    private void render() throws IOException {
        Files.createDirectories(target);
        Files.writeString(target.resolve("style.css"), STYLE);
        for (Path page : pages.keySet()) {
            Node document = PARSER.parse(Files.readString(page));
            document.accept(new AbstractVisitor() {
                @Override
                public void visit(Link link) {
                    link.setDestination(address(page, link.getDestination()));
                    super.visit(link);
                }

                @Override
                public void visit(Image image) {
                    image.setDestination(address(page, image.getDestination()));
                    super.visit(image);
                }
            });
            bodies.put(page, RENDERER.render(document));
        }
        for (Map.Entry<Path, String> page : bodies.entrySet()) {
            Files.writeString(target.resolve(name(page.getKey())), html(page.getKey(), page.getValue()));
        }
    }

    /** A page of the site, or a file of the repository, which the site does not have. */
    private String address(Path page, String destination) {
        if (destination.matches("[a-z]+:.*") || destination.startsWith("#")) {
            return destination;
        }
        String[] parts = destination.split("#", 2);
        Path file = page.resolveSibling(parts[0]).normalize();
        String anchor = parts.length > 1 ? "#" + parts[1] : "";
        if (pages.containsKey(file)) {
            return name(file) + anchor;
        }
        if (!Files.exists(file)) {
            faults.add(root.relativize(page) + " -> " + destination);
        }
        return target.toAbsolutePath().normalize().relativize(file) + anchor;
    }

    private String name(Path page) {
        String file = page.getFileName().toString().replaceAll("\\.md$", ".html");
        return page.startsWith(root.resolve("docs")) ? file : file.toLowerCase(java.util.Locale.ROOT);
    }

    private String html(Path page, String body) throws IOException {
        Matcher title = TITLE.matcher(Files.readString(page));
        String sidebar = pages.entrySet().stream()
                .map(each -> "<a href=\"" + name(each.getKey()) + "\""
                        + (each.getKey().equals(page) ? " class=\"here\"" : "") + ">" + each.getValue() + "</a>")
                .collect(Collectors.joining("\n"));
        return """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>%s · Fiber for Java</title>
                <link rel="stylesheet" href="style.css">
                </head>
                <body>
                <nav>
                %s
                </nav>
                <main>
                %s
                </main>
                </body>
                </html>
                """.formatted(title.find() ? title.group(1).replace("`", "") : "", sidebar, body);
    }

    private void checkLinks() {
        Map<String, Set<String>> anchors = new TreeMap<>();
        bodies.forEach((page, body) -> anchors.put(
                name(page), ID.matcher(body).results().map(id -> id.group(1)).collect(Collectors.toSet())));
        bodies.forEach((page, body) -> {
            Matcher href = HREF.matcher(body);
            while (href.find()) {
                String[] parts = href.group(1).split("#", 2);
                Set<String> there = anchors.get(parts[0].isEmpty() ? name(page) : parts[0]);
                if (there != null && parts.length > 1 && !there.contains(parts[1])) {
                    faults.add(root.relativize(page) + " -> " + href.group(1) + ": there is no such heading");
                }
            }
        });
    }
}
