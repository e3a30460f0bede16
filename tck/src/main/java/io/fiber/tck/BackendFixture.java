// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck;

import io.fiber.spi.Environment;
import io.fiber.spi.Options;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.tck.probe.ExitMain;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What the kit must know of one backend and its platform. A fixture serves one test: the kit creates it, opens backends,
 * closes them, checks that nothing is left, and closes the fixture. All time limits of the kit come from here. Used by one
 * thread at a time.
 */
public interface BackendFixture extends AutoCloseable {

    /** Makes the platform's interface unreachable, as an API server that is down. */
    interface Outage {
        /** Makes it unreachable; jobs run on. */
        void begin();

        /** Makes it reachable again. */
        void end();
    }

    /** Makes the platform have no place for another job. */
    interface Fullness {
        /** Takes every place: a job that is submitted from now on waits. */
        void begin();

        /** Gives the places back. */
        void end();
    }

    /** Returns the name of the backend that is meant to be tested. */
    String name();

    /** Returns the provider that opens it. */
    BackendProvider provider();

    /** Returns what the backend is believed to be able to do; the kit compares it with what the provider declares. */
    Set<Capability> capabilities();

    /**
     * Returns how a small Java program of the kit runs there: a spec whose program is {@code main} with these arguments,
     * and whatever else the platform needs (an image, a class path that exists there). The class and those of its package
     * need the JDK alone. By default it has the class path of this JVM, which suits a platform whose jobs see the files of
     * this host.
     */
    default JobSpec.Builder javaJob(Class<?> main, String... arguments) {
        return javaJob(List.of(System.getProperty("java.class.path").split(File.pathSeparator, -1)), main, arguments);
    }

    /** Returns a spec of a Java program that starts fast, on the platform's own JVM. */
    static JobSpec.Builder javaJob(List<String> classPath, Class<?> main, String... arguments) {
        return JobSpec.builder(new Program.Java(
                Optional.empty(),
                List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                classPath,
                List.of(),
                main.getName(),
                List.of(arguments)));
    }

    /** Returns the jar or directory that this JVM has a class from: the class path of a program of the kit on this host. */
    static String placeOf(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns a directory of this fixture alone; sessions get directories below it. */
    Path directory();

    /** Returns within which time a submitted program runs, also on a busy platform. */
    Duration startLimit();

    /** Returns within which time the end of a program is told, and a cancelled one is gone; as long as a start by default. */
    default Duration endLimit() {
        return startLimit();
    }

    /** Returns within which time jobs are gone after their master was killed; 30 seconds, the promise, by default. */
    default Duration orphanLimit() {
        return Duration.ofSeconds(30);
    }

    /**
     * Returns within which time threads are gone after close; 5 seconds by default. Threads that live when the fixture
     * has been created are its own and do not count.
     */
    default Duration leakLimit() {
        return Duration.ofSeconds(5);
    }

    /**
     * Returns the shortest time limit that the platform takes and in which a program begins; ten seconds by default, as a
     * JVM on a busy machine may take several for its start.
     */
    default Duration shortestTimeLimit() {
        return Duration.ofSeconds(10);
    }

    /** Returns how many jobs can run at one time; 3 by default, the least that the kit needs. */
    default int slots() {
        return 3;
    }

    /**
     * Tells whether there is room for a job that the platform keeps without its program, and for another one; true by default. In
     * a program that is itself a job, such a job may need a place outside of it.
     */
    default boolean hasRoomForRuns() {
        return true;
    }

    /** Returns how many jobs the clause about many submits; 60 by default, most of which may wait. */
    default int manyJobs() {
        return 60;
    }

    /** Returns how long the clause about a long outage holds it; 12 seconds by default. */
    default Duration outageLength() {
        return Duration.ofSeconds(12);
    }

    /** Returns the options that the backend is opened with; none by default. */
    default Options options() {
        return Options.none();
    }

    /**
     * Returns these values of a provider's options.
     *
     * @throws IllegalArgumentException when the provider has no such option or does not take a value
     */
    static Options options(BackendProvider provider, Map<String, String> values) {
        List<Options.Value> all = new ArrayList<>();
        values.forEach((name, value) -> all.add(new Options.Value(
                provider.options().stream()
                        .filter(key -> key.name().equals(name))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException(
                                "The backend '" + provider.name() + "' has no option '" + name + "'.")),
                value,
                "a test")));
        return Options.of(all);
    }

    /** Returns the environment that the session is opened in; that of this process by default. */
    default Environment environment() {
        return Environment.system();
    }

    /** Opens a new backend; the kit closes it. By the provider, by default. */
    default Backend backend(BackendContext context) {
        return provider().create(context);
    }

    /**
     * Returns how the same program runs as a plain command: by default the command line of {@link #javaJob}, with
     * {@code java} for an executable that is not named.
     */
    default JobSpec.Builder commandJob(Class<?> main, String... arguments) {
        JobSpec spec = javaJob(main, arguments).build();
        return spec.program() instanceof Program.Java java
                ? spec.toBuilder(new Program.Command(java.commandLine("java", List.of(), ":")))
                : spec.toBuilder();
    }

    /** Returns a job that ends at once with code 0, and costs little: the command {@code true} where {@link #commandJob} runs. */
    default JobSpec.Builder briefJob() {
        return commandJob(ExitMain.class, "0").build().toBuilder(new Program.Command(List.of("true")));
    }

    /**
     * Returns the name of an image that the platform can tell is not there: where it asks a registry, one that it reaches. By
     * default a name without a registry.
     */
    default String missingImage() {
        return "fiber-tck-no-such-image:0";
    }

    /**
     * Returns the fixture that a second JVM makes to be a master that gets killed: a class with a public constructor
     * without parameters, on this JVM's class path. System properties whose names begin with {@code fiber.tck.} are handed
     * to the second JVM. Empty, the default: the clauses about a killed master and about the console are skipped.
     */
    default Optional<Class<? extends BackendFixture>> masterFixture() {
        return Optional.empty();
    }

    /** Returns the switch of the platform's interface; empty, the default: the clauses about an outage are skipped. */
    default Optional<Outage> outage() {
        return Optional.empty();
    }

    /** Returns how the platform is filled; empty, the default: the clauses about jobs that wait are skipped. */
    default Optional<Fullness> fullness() {
        return Optional.empty();
    }

    /** Returns how a running job is killed behind the backend's back; empty by default: that clause is skipped. */
    default Optional<Consumer<Job>> killer() {
        return Optional.empty();
    }

    /** Returns how the platform is made to announce a job's end; empty by default: that clause is skipped. */
    default Optional<Consumer<Job>> preempter() {
        return Optional.empty();
    }

    /** Returns the labels on the platform's own record of a job; empty by default: that clause is skipped. */
    default Optional<Map<String, String>> labelsOf(Job job) {
        return Optional.empty();
    }

    /**
     * Frees what the fixture holds, {@link #directory} included. A platform of the fixture's own has to be at rest before: a job
     * that has been told to have ended may still be writing there.
     */
    @Override
    void close();
}
