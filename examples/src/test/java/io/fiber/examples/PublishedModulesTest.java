// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** What Maven Central asks of each module, and what a user asks of all of them. */
final class PublishedModulesTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final List<String> OF_EACH = List.of("name", "description");
    private static final List<String> OF_A_FAMILY = List.of("url", "licenses", "developers", "scm");
    private static final String OURS = "io.fiber";

    @Test
    void eachModuleSaysWhatCentralAsks() throws Exception {
        assertThat(childrenOf(pom(ROOT))).containsAll(OF_EACH).containsAll(OF_A_FAMILY);
        for (Path module : published()) {
            Set<String> said = childrenOf(pom(module));
            assertThat(said).as(module.toString()).containsAll(OF_EACH);
            assertThat(said.contains("parent") || said.containsAll(OF_A_FAMILY))
                    .as(module + " has a parent or says it all")
                    .isTrue();
        }
    }

    @Test
    void bomHasEachModule() throws Exception {
        Set<String> artifacts = new TreeSet<>();
        for (Path module : published()) {
            artifacts.add(text(pom(module), "artifactId"));
        }
        artifacts.remove("fiber-bom");
        Element bom = child(child(pom(ROOT.resolve("fiber-bom")), "dependencyManagement"), "dependencies");
        assertThat(children(bom).stream()
                        .map(dependency -> text(dependency, "artifactId"))
                        .toList())
                .containsExactlyInAnyOrderElementsOf(artifacts);
    }

    /** Of libraries that come with them, because others ask for those, the SBOM of each module knows. */
    @Test
    void libraryOfOthersIsNamedWithItsLicence() throws Exception {
        String page = Files.readString(ROOT.resolve("THIRD-PARTY.md"));
        List<String> unnamed = new ArrayList<>();
        for (Path module : published()) {
            for (String library : librariesOf(pom(module))) {
                if (!Pattern.compile("\\| `" + Pattern.quote(library) + "` \\| [^|]+ \\|")
                        .matcher(page)
                        .find()) {
                    unnamed.add(module + ": " + library);
                }
            }
        }
        assertThat(unnamed).isEmpty();
    }

    private static List<String> librariesOf(Element pom) {
        List<String> libraries = new ArrayList<>();
        for (Element parent : children(pom)) {
            if (parent.getTagName().equals("dependencies")) {
                for (Element dependency : children(parent)) {
                    boolean isForTests = childrenOf(dependency).contains("scope")
                            && text(dependency, "scope").equals("test");
                    if (!isForTests && !text(dependency, "groupId").equals(OURS)) {
                        libraries.add(text(dependency, "groupId") + ":" + text(dependency, "artifactId"));
                    }
                }
            }
        }
        return libraries;
    }

    private static List<Path> published() throws Exception {
        List<Path> modules = new ArrayList<>();
        for (Element module : children(child(pom(ROOT), "modules"))) {
            Path directory = ROOT.resolve(module.getTextContent());
            if (!Files.readString(directory.resolve("pom.xml")).contains("<maven.deploy.skip>true<")) {
                modules.add(directory);
            }
        }
        assertThat(modules).hasSizeGreaterThan(8);
        return modules;
    }

    private static Element pom(Path directory) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        return factory.newDocumentBuilder()
                .parse(directory.resolve("pom.xml").toFile())
                .getDocumentElement();
    }

    private static List<Element> children(Element element) {
        List<Element> children = new ArrayList<>();
        for (Node each = element.getFirstChild(); each != null; each = each.getNextSibling()) {
            if (each instanceof Element child) {
                children.add(child);
            }
        }
        return children;
    }

    private static Set<String> childrenOf(Element element) {
        Set<String> names = new TreeSet<>();
        children(element).forEach(child -> names.add(child.getTagName()));
        return names;
    }

    private static Element child(Element element, String name) {
        return children(element).stream()
                .filter(child -> child.getTagName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static String text(Element element, String name) {
        return child(element, name).getTextContent().strip();
    }
}
