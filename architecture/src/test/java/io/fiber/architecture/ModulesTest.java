// SPDX-License-Identifier: Apache-2.0
package io.fiber.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The directions between the modules, checked by package over the classes of all of them. */
@AnalyzeClasses(
        packages = "io.fiber",
        importOptions = {DoNotIncludeTests.class, WithoutLibraries.class})
final class ModulesTest {
    private static final String[] SPI = {"io.fiber.spi..", "io.fiber.spec.."};
    private static final String BACKENDS = "io.fiber.backend..";
    private static final String TRANSPORTS = "io.fiber.transport..";
    private static final String RUNTIME = "io.fiber.runtime..";
    private static final String[] API = {"io.fiber", "io.fiber.function.."};

    @ArchTest
    static final ArchRule spiDependsOnTheJdkOnly = classes()
            .that()
            .resideInAnyPackage(SPI)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "org.jspecify..", SPI[0], SPI[1]);

    @ArchTest
    static final ArchRule apiDependsOnTheSpiOnly = classes()
            .that()
            .resideInAnyPackage(API)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "org.jspecify..", SPI[0], SPI[1], API[0], API[1]);

    @ArchTest
    static final ArchRule providersNeverSeeApiOrRuntime = noClasses()
            .that()
            .resideInAnyPackage(BACKENDS, TRANSPORTS)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(API[0], API[1], RUNTIME);

    @ArchTest
    static final ArchRule backendsSeeBackendSupportAndNotEachOther = slices().matching("io.fiber.backend.(*)..")
            .should()
            .notDependOnEachOther()
            .ignoreDependency(resideInAPackage(BACKENDS), resideInAPackage("io.fiber.backend.support.."));

    @ArchTest
    static final ArchRule backendsNeverSeeTransports = noClasses()
            .that()
            .resideInAPackage(BACKENDS)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(TRANSPORTS);

    @ArchTest
    static final ArchRule transportsNeverSeeBackends = noClasses()
            .that()
            .resideInAPackage(TRANSPORTS)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(BACKENDS);

    @ArchTest
    static final ArchRule runtimeNamesNoProvider = noClasses()
            .that()
            .resideInAPackage(RUNTIME)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(BACKENDS, TRANSPORTS, "io.aeron..");
}
