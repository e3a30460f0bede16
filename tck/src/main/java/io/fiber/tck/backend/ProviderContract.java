// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spi.CallerHost;
import io.fiber.spi.Environment;
import io.fiber.spi.OptionKey;
import io.fiber.spi.Probe;
import io.fiber.spi.SpiVersion;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.tck.clause.Clause;
import io.fiber.tck.host.Promptness;
import io.fiber.tck.host.ThreadCensus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/** Clauses BKD-0xx and BKD-1xx: which backend is tested, and what its provider reports about itself. */
abstract class ProviderContract extends BackendContract {

    private static final Duration PROBE_LIMIT = Duration.ofSeconds(1);
    /** What a busy machine may add to the second that the contract allows. */
    private static final Duration SLACK = Duration.ofSeconds(2);

    @Clause(
            id = "BKD-001",
            says = "the backend under test has the name that the fixture gives",
            check = "that the fixture's provider is the one you mean, and not a fallback.")
    void backendIsTheOneNamed() {
        assertThat(fixture().provider().name())
                .as("name of the provider")
                .isEqualTo(fixture().name());
        assertThat(backend()).as("the backend").isNotNull();
    }

    @Clause(
            id = "BKD-101",
            says = "the provider's name matches [a-z][a-z0-9-]* and is constant, and its SPI version is supported",
            check = "name() and spiVersion() of the provider.")
    void nameAndVersionAreValid() {
        BackendProvider provider = fixture().provider();
        assertThat(provider.name()).as("name").matches("[a-z][a-z0-9-]*").isEqualTo(provider.name());
        assertThat(SpiVersion.isSupported(provider.spiVersion()))
                .as("spiVersion %s is supported", provider.spiVersion())
                .isTrue();
    }

    @Clause(
            id = "BKD-102",
            says = "probe answers within a second, never throws, and starts nothing",
            check = "that probe looks at variables and files only, and copes with an empty environment.")
    void probeIsQuickAndHarmless() {
        ThreadCensus before = ThreadCensus.take();
        String what = "time of probe, " + PROBE_LIMIT + " and the slack for a busy machine";
        for (Environment environment : List.of(
                Environment.of(Map.of(), Map.of()),
                fixture().environment(),
                Environment.of(Map.of("PATH", "?"), Map.of()))) {
            Promptness.check(
                    what,
                    PROBE_LIMIT.plus(SLACK),
                    () -> Promptness.timeOf(() -> fixture().provider().probe(environment)));
            Probe answer = fixture().provider().probe(environment);
            assertThat(answer).as("answer of probe").isNotNull();
            assertThat(evidence(answer)).as("evidence of %s", answer).isNotBlank();
        }
        assertThat(before.leftAfter(Duration.ZERO))
                .as("threads that probe started")
                .isEmpty();
    }

    private static String evidence(Probe answer) {
        if (answer instanceof Probe.Inside inside) {
            return inside.evidence();
        }
        return answer instanceof Probe.Usable usable ? usable.evidence() : ((Probe.Unusable) answer).reason();
    }

    @Clause(
            id = "BKD-103",
            says = "the provider declares exactly the capabilities that the fixture expects, and always the same ones",
            check = "capabilities() of the provider against the fixture's.")
    void capabilitiesAreAsExpected() {
        assertThat(fixture().provider().capabilities())
                .as("capabilities that the provider declares")
                .isEqualTo(fixture().capabilities())
                .isEqualTo(fixture().provider().capabilities());
    }

    @Clause(
            id = "BKD-104",
            says = "the provider's options have distinct names, and each has a description",
            check = "options() of the provider.")
    void optionsAreDescribed() {
        List<OptionKey> options = fixture().provider().options();
        assertThat(options.stream().map(OptionKey::name)).as("names of options").doesNotHaveDuplicates();
        assertThat(options)
                .allSatisfy(option -> assertThat(option.description())
                        .as("description of option '%s'", option.name())
                        .isNotBlank());
    }

    @Clause(
            id = "BKD-105",
            says = "ServiceLoader finds exactly one provider of this name",
            check = "META-INF/services/io.fiber.spi.backend.BackendProvider, and that the class has a public"
                    + " constructor "
                    + "without parameters.")
    void providerIsRegistered() {
        List<String> found = ServiceLoader.load(BackendProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .map(BackendProvider::name)
                .toList();
        assertThat(found)
                .as("providers that ServiceLoader finds")
                .containsOnlyOnce(fixture().name());
    }

    @Clause(
            id = "BKD-110",
            says = "callerHost and isOneHost do not change during the life of the backend",
            check = "that they are decided when the backend is opened.")
    void callerHostIsConstant() {
        CallerHost before = backend().callerHost();
        boolean isOneHost = backend().isOneHost();
        assertThat(before).as("callerHost").isNotNull();
        ProbeJob job = start();
        assertThat(backend().callerHost()).as("callerHost while a job runs").isEqualTo(before);
        assertThat(backend().isOneHost()).as("isOneHost while a job runs").isEqualTo(isOneHost);
        job.exit(0);
        job.ended();
        assertThat(backend().callerHost()).as("callerHost after a job").isEqualTo(before);
    }

    @Clause(
            id = "BKD-111",
            says = "a job reaches this process at the advertised host",
            check = "which address callerHost() advertises, and whether the place where jobs run has a route to it.")
    void jobReachesTheCaller() {
        assertThat(backend().callerHost().advertised()).as("advertised host").isNotBlank();
        String token = nextName();
        ProbeJob job = start(probe(token).build(), token);
        await(
                "BKD-111",
                fixture().startLimit(),
                () -> beacon().call(token).isPresent(),
                () -> "no job dialled " + beacon().address() + "; the job's output is " + outputOf(job.job()) + ".");
        job.exit(0);
        job.ended();
    }
}
