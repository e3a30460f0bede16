// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.backend;

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
 * What the kit must know about a backend and its platform. A fixture serves one test: the kit creates it, opens
 * backends, closes them, checks that nothing is left, and closes the fixture. All time limits of the kit come from
 * here. Only one thread at a time uses it.
 */
public interface BackendFixture extends AutoCloseable {

    /** Makes the platform's interface unreachable, like an API server that is down. */
    interface Outage {
        /** Makes it unreachable; jobs keep running. */
        void begin();

        /** Makes it reachable again. */
        void end();
    }

    /** Makes the platform slow to accept jobs, like a scheduler under load. */
    interface Slowness {
        /** Lets submissions wait. Nothing else has to be slow. */
        void begin();

        /** Lets them go on. */
        void end();
    }

    /** Suspends a running job, like SIGSTOP or an administrator. */
    interface Suspension {
        /** Suspends the job. */
        void begin(Job job);

        /** Lets it go on. */
        void end(Job job);
    }

    /** What becomes of the environment variables of the submitting process. */
    enum Variables {
        /** Jobs see only those that their spec names, and those of the platform. */
        STAY,
        /** Jobs see them, as child processes do. */
        COME_ALONG,
        /** It is not known, and not tested. */
        UNKNOWN
    }

    /** Leaves the platform no room for another job. */
    interface Fullness {
        /** Takes all room: jobs that are submitted from now on wait. */
        void begin();

        /** Frees the room. */
        void end();
    }

    /** Returns the name of the backend to test. */
    String name();

    /** Returns the provider that opens the backend. */
    BackendProvider provider();

    /** Returns what the backend should be able to do; the kit compares this with the provider's declaration. */
    Set<Capability> capabilities();

    /**
     * Returns a spec that runs a small Java program of the kit: its program is {@code main} with these arguments, and
     * it has whatever else the platform needs, such as an image or a class path that exists there. The class and its
     * package need only the JDK. By default, it has the class path of this JVM, which suits a platform whose jobs see
     * the files of this host.
     */
    default JobSpec.Builder javaJob(Class<?> main, String... arguments) {
        return javaJob(List.of(System.getProperty("java.class.path").split(File.pathSeparator, -1)), main, arguments);
    }

    /** Returns a spec of a Java program that starts fast, with the platform's own JVM. */
    static JobSpec.Builder javaJob(List<String> classPath, Class<?> main, String... arguments) {
        return JobSpec.builder(new Program.Java(
                Optional.empty(),
                List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                classPath,
                List.of(),
                main.getName(),
                List.of(arguments)));
    }

    /**
     * Returns the jar or directory from which this JVM has loaded a class: the class path of a program of the kit on
     * this host.
     */
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

    /** Returns a directory that only this fixture uses; sessions get directories below it. */
    Path directory();

    /** Returns the time within which a submitted program runs, even on a busy platform. */
    Duration startLimit();

    /**
     * Returns the time within which the end of a program is reported, and a cancelled one is gone; by default that of a
     * start.
     */
    default Duration endLimit() {
        return startLimit();
    }

    /**
     * Returns the time within which jobs are gone after their master was killed; 30 seconds by default, as promised.
     */
    default Duration orphanLimit() {
        return Duration.ofSeconds(30);
    }

    /**
     * Returns the time within which threads are gone after close; 5 seconds by default. Threads that are alive when the
     * fixture has been created belong to it and do not count.
     */
    default Duration leakLimit() {
        return Duration.ofSeconds(5);
    }

    /**
     * Returns the shortest time limit that the platform accepts and within which a program starts; ten seconds by
     * default, because a JVM may take several on a busy machine.
     */
    default Duration shortestTimeLimit() {
        return Duration.ofSeconds(10);
    }

    /** Returns how many jobs can run at the same time; 3 by default, the minimum that the kit needs. */
    default int slots() {
        return 3;
    }

    /**
     * Returns whether there is room for a job that the platform keeps without its program, and for another one; true by
     * default. In a program that is itself a job, such a job may need room outside of it.
     */
    default boolean hasRoomForRuns() {
        return true;
    }

    /**
     * Returns how many GPUs the platform has, if a single job can have all of them: names or declared devices are enough,
     * because no program of the kit uses one. If it is 0, the default, the clause about GPUs that are taken is skipped.
     */
    default int gpus() {
        return 0;
    }

    /**
     * Returns how many jobs the clause about many jobs submits; 110 by default, most of which may wait. Many platforms
     * answer with a hundred jobs at a time.
     */
    default int manyJobs() {
        return 110;
    }

    /** Returns how long the outage lasts in the clause about a long one; 12 seconds by default. */
    default Duration outageLength() {
        return Duration.ofSeconds(12);
    }

    /** Returns what becomes of variables of the submitting process; they stay by default. */
    default Variables variables() {
        return Variables.STAY;
    }

    /** Returns the options with which the backend is opened; none by default. */
    default Options options() {
        return Options.none();
    }

    /**
     * Returns options of a provider with these values.
     *
     * @throws IllegalArgumentException if the provider has no such option or rejects a value
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

    /** Returns the environment in which the session is opened; that of this process by default. */
    default Environment environment() {
        return Environment.system();
    }

    /** Opens a new backend, which the kit closes; by default with the provider. */
    default Backend backend(BackendContext context) {
        return provider().create(context);
    }

    /**
     * Returns a spec that starts the program by a plain command. By default, this is the command line of {@link #javaJob},
     * with {@code java} if it names no executable.
     */
    default JobSpec.Builder commandJob(Class<?> main, String... arguments) {
        JobSpec spec = javaJob(main, arguments).build();
        return spec.program() instanceof Program.Java java
                ? spec.toBuilder(new Program.Command(java.commandLine("java", List.of(), ":")))
                : spec.toBuilder();
    }

    /**
     * Returns a job that ends at once with code 0 and costs little: the command {@code true}, in the environment of
     * {@link #commandJob}.
     */
    default JobSpec.Builder briefJob() {
        return commandJob(ExitMain.class, "0").build().toBuilder(new Program.Command(List.of("true")));
    }

    /**
     * Returns the name of an image that the platform can tell does not exist; if it asks a registry, one in a registry
     * that it reaches. By default a name without a registry.
     */
    default String missingImage() {
        return "fiber-tck-no-such-image:0";
    }

    /**
     * Returns the fixture that a second JVM creates to be a master that is killed: a class with a public constructor
     * without parameters, on this JVM's class path. System properties whose names begin with {@code fiber.tck.} are
     * passed to the second JVM. If it is empty, the default, the clauses about a killed master and about the console
     * are skipped.
     */
    default Optional<Class<? extends BackendFixture>> masterFixture() {
        return Optional.empty();
    }

    /**
     * Returns the switch of the platform's interface. If it is empty, the default, the clauses about an outage are
     * skipped.
     */
    default Optional<Outage> outage() {
        return Optional.empty();
    }

    /** Returns how the platform becomes slow. If it is empty, the default, the clause about a slow one is skipped. */
    default Optional<Slowness> slowness() {
        return Optional.empty();
    }

    /**
     * Returns what makes the platform accept the next submission and lose its answer. If it is empty, the default, the
     * clause about lost answers is skipped.
     */
    default Optional<Runnable> answerLoss() {
        return Optional.empty();
    }

    /** Returns how a job is suspended. If it is empty, the default, the clause about suspended jobs is skipped. */
    default Optional<Suspension> suspension() {
        return Optional.empty();
    }

    /**
     * Returns how the platform starts the program of a running job again, without the backend. If it is empty, the
     * default, that clause is skipped.
     */
    default Optional<Consumer<Job>> restarter() {
        return Optional.empty();
    }

    /** Returns how the platform is filled. If it is empty, the default, the clauses about waiting jobs are skipped. */
    default Optional<Fullness> fullness() {
        return Optional.empty();
    }

    /** Returns how a running job is killed without the backend. If it is empty, the default, that clause is skipped. */
    default Optional<Consumer<Job>> killer() {
        return Optional.empty();
    }

    /**
     * Returns how the platform is made to announce a job's end. If it is empty, the default, that clause is skipped.
     */
    default Optional<Consumer<Job>> preempter() {
        return Optional.empty();
    }

    /** Returns where the platform runs a job, in its own words. If it is empty, the default, that clause is skipped. */
    default Optional<String> hostOf(Job job) {
        return Optional.empty();
    }

    /**
     * Returns the labels in the platform's own record of a job. If they are empty, the default, that clause is skipped.
     */
    default Optional<Map<String, String>> labelsOf(Job job) {
        return Optional.empty();
    }

    /**
     * Asks the platform what it still has of a session, and returns a line for each job that runs, waits, is held or is
     * in an error state. Jobs of runs need not be among them. The kit asks after each test, when the backend is closed,
     * until there is nothing. If the result is empty, the default, the kit sees only programs that it can talk to.
     */
    default Optional<List<String>> left(String sessionId) {
        return Optional.empty();
    }

    /**
     * Frees the fixture's resources, including {@link #directory}. The fixture's own platform must be idle before,
     * because a job whose end was reported may still be writing there.
     */
    @Override
    void close();
}
