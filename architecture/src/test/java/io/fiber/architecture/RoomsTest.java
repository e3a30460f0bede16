// SPDX-License-Identifier: Apache-2.0
package io.fiber.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A package is small enough to walk through, knows others in one direction only, and talks to them by methods. */
@AnalyzeClasses(
        packages = "io.fiber",
        importOptions = {DoNotIncludeTests.class, WithoutLibraries.class})
final class RoomsTest {
    /** Where the modules lie, seen from this one. */
    private static final Path ROOT = Path.of("..");

    /** About 30 can be kept in mind; beyond that, look for the second idea. */
    private static final int MOST_FILES = 35;

    /** The public types are what a program imports: one package, whatever its size. */
    private static final String PUBLIC_TYPES = "fiber-api/src/main/java/io/fiber";

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("io.fiber.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule fieldsOfOtherPackagesAreConstants =
            fields().that().arePublic().should().beStatic().andShould().beFinal();

    @ArchTest
    static void noPackageIsTooLarge(JavaClasses classes) throws IOException {
        Map<String, Long> large = new TreeMap<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module : modules.toList()) {
                Path main = module.resolve("src/main/java");
                if (Files.isDirectory(main)) {
                    large.putAll(sizes(main));
                }
            }
        }
        assertThat(large).as("packages").containsKey(PUBLIC_TYPES);
        large.remove(PUBLIC_TYPES);
        large.values().removeIf(files -> files <= MOST_FILES);
        assertThat(large)
                .as("packages with more than %s files; look for the second idea in them", MOST_FILES)
                .isEmpty();
    }

    private static Map<String, Long> sizes(Path main) throws IOException {
        try (Stream<Path> files = Files.walk(main)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .collect(Collectors.groupingBy(
                            file -> ROOT.relativize(file.getParent()).toString(), Collectors.counting()));
        }
    }
}
