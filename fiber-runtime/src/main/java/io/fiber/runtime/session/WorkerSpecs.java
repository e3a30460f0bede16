// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import io.fiber.runtime.config.ConfigKey;
import io.fiber.runtime.config.Debugging;
import io.fiber.runtime.config.FiberConfig;
import io.fiber.runtime.config.Origin;
import io.fiber.runtime.config.Setting;
import io.fiber.runtime.logging.Logs;
import io.fiber.runtime.platform.AgronaAccess;
import io.fiber.runtime.platform.ClassDataArchive;
import io.fiber.runtime.platform.ClassPathSnapshot;
import io.fiber.runtime.remotejobs.RemoteJobRequest;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.spec.Volume;
import io.fiber.spi.CallerHost;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.spi.transport.TransportProvider;
import java.io.File;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringTokenizer;

/**
 * Determines how the JVM of a worker is started: this JVM's own paths, options for a fast start and little memory, the
 * transport's needs, and last the user's options. Thread-safe.
 */
final class WorkerSpecs implements JobSpecs {

    private static final String WORKER_MAIN = RemoteJobRequest.WORKER_MAIN;
    private static final String TRAINING_MAIN = "io.fiber.runtime.worker.main.CdsTrainingRun";
    private static final Duration TRAINING_LIMIT = Duration.ofSeconds(10);
    private static final List<String> BRINGING_CLASSES =
            List.of("@", "-cp", "-classpath", "--class-path", "-Xbootclasspath", "-javaagent", "-jar", "-XX:Flags");
    private static final String OWN_MODULE = "io.fiber.runtime";
    /**
     * Saves memory (42 MB resident instead of 60) and a file of performance counters in the temporary directory.
     * Compilers start four times later than usual, because those of all workers compete with the program for its first
     * second; code that is hot for longer than milliseconds is not affected. In 1,000 rounds of 5 tasks, the tasks' threads
     * take half again as long as with C1's usual thresholds. But these compile a worker's start, too: 5,000 tasks of 1 ms
     * in a fresh program took a tenth longer and a quarter more processor time.
     */
    private static final List<String> SMALL_AND_QUICK =
            List.of("-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xms8m", "-XX:CompileThresholdScaling=4");

    private static final int WORKERS_OF_A_QUARTER = 3;
    private static final int WORKERS_HUNDREDTHS = 75_00;

    private final FiberConfig config;
    private final TransportProvider transport;
    private final Optional<ClassDataArchive> archive;
    private final WorkerClassPath classPath;
    private final List<String> modulePath;
    private final Inheritance inheritance;
    private final JobOutput output;

    /**
     * What workers inherit from this process.
     *
     * @param reach whether workers run on this host and share its processors
     * @param isOneHost whether workers share the memory of one host
     */
    record Inheritance(List<String> jvmOptions, CallerHost.Reach reach, boolean isOneHost, BackendProvider backend) {}

    WorkerSpecs(
            FiberConfig config,
            TransportProvider transport,
            Optional<ClassDataArchive> archive,
            Inheritance inheritance) {
        this.inheritance = inheritance;
        this.config = config;
        this.transport = transport;
        this.archive = archive;
        this.output = output(config, inheritance.backend());
        this.classPath = WorkerClassPath.ofProgram(transport.libraries());
        this.modulePath = modulePath();
        if (!isPathElsewhere()) {
            ForeignLoader.refuse(WorkerSpecs.class, ClassLoader.getSystemClassLoader(), classPath.entries());
        }
    }

    /**
     * Returns whether Fiber may come from elsewhere than the class path: from an image, from a {@code java} that may be
     * a script, or through options.
     */
    private boolean isPathElsewhere() {
        return config.text(ConfigKey.IMAGE).isPresent()
                || config.text(ConfigKey.WORKER_JAVA).isPresent()
                || !modulePath.isEmpty()
                || config.list(ConfigKey.WORKER_JVM_OPTIONS).stream().anyMatch(WorkerSpecs::mayBringClasses);
    }

    private static boolean mayBringClasses(String option) {
        return BRINGING_CLASSES.stream().anyMatch(option::startsWith);
    }

    @Override
    public JobSpec of(JobSpec wanted, int workers) {
        return of(wanted, heapShare(workers), processorShare(workers));
    }

    /**
     * Returns the job of a nested worker. The number of such workers is unknown: each gets the heap of one worker for
     * each processor, and sees all processors.
     */
    @Override
    public JobSpec ofNested(JobSpec wanted) {
        return of(wanted, heapShare(Runtime.getRuntime().availableProcessors()), Optional.empty());
    }

    private JobSpec of(JobSpec wanted, Optional<String> heapShare, Optional<String> processorShare) {
        boolean opens = opensItself() && wanted.image().isEmpty();
        List<String> users = config.list(ConfigKey.WORKER_JVM_OPTIONS);
        List<String> own = new ArrayList<>(archiveOptions());
        own.addAll(launchOptions(opens));
        heapShare.ifPresent(own::add);
        Debugging.of(config).jvmOption().ifPresent(own::add);
        if (wanted.resources().cpus().isEmpty()) {
            processorShare.ifPresent(own::add);
        }
        List<String> options = new ArrayList<>(WorkerOptions.beside(users, own));
        for (String option : inheritance.jvmOptions()) {
            if (!options.contains(option) && !(opens && AgronaAccess.isReplacing(option))) {
                options.add(option);
            }
        }
        options.addAll(users);
        JobSpec.Builder spec = wanted.toBuilder(new Program.Java(
                        config.text(ConfigKey.WORKER_JAVA),
                        options,
                        classPath.entries(),
                        modulePath,
                        isModular() ? OWN_MODULE + "/" + WORKER_MAIN : WORKER_MAIN,
                        List.of()))
                .output(output)
                .options(optionsOf(wanted));
        if (wanted.volumes().isEmpty()) {
            spec.volumes(
                    config.list(ConfigKey.VOLUMES).stream().map(Volume::parse).toList());
        }
        if (wanted.image().isEmpty()) {
            config.text(ConfigKey.IMAGE).ifPresent(spec::image);
        }
        return spec.build();
    }

    @Override
    public void check(JobSpec wanted) {
        optionsOf(wanted);
    }

    @Override
    public ClassPathSnapshot classPath() {
        List<String> entries = new ArrayList<>(classPath.entries());
        entries.addAll(modulePath);
        return ClassPathSnapshot.of(entries, Codecs.programLoader());
    }

    private Map<String, String> optionsOf(JobSpec wanted) {
        return config.optionsOfJobs(wanted.options(), inheritance.backend().name());
    }

    /**
     * Returns the option that limits the heap of one of several workers on one host. A JVM takes a quarter of the
     * machine. So do the program's process and up to three workers; more workers share what three may take. Requested
     * memory overrides this, because {@code -Xmx} does, and so do the user's options, which come later. A JVM does not
     * go below 125 MB.
     */
    private Optional<String> heapShare(int workers) {
        if (!inheritance.isOneHost() || workers <= WORKERS_OF_A_QUARTER) {
            return Optional.empty();
        }
        int hundredths = Math.max(1, WORKERS_HUNDREDTHS / workers);
        return Optional.of("-XX:MaxRAMPercentage=" + hundredths / 100 + "." + hundredths % 100 / 10 + hundredths % 10);
    }

    /**
     * Returns the option that tells one of several workers on this host its number of processors. Libraries that
     * compute in parallel start a thread for each processor that they see, in every worker. Processors that a pool or
     * process requests override this, because the backend sets them.
     */
    private Optional<String> processorShare(int workers) {
        int processors = Runtime.getRuntime().availableProcessors();
        int share = Math.max(1, processors / Math.max(1, workers));
        return inheritance.reach() == CallerHost.Reach.SAME_HOST && share < processors
                ? Optional.of("-XX:ActiveProcessorCount=" + share)
                : Optional.empty();
    }

    /** Creates the class-data archive for later sessions, if there is none. */
    @Override
    public void train() {
        if (!isModular()) {
            archive.ifPresent(cds -> cds.trainInBackground(launch(), TRAINING_MAIN, List.of()));
        }
    }

    @Override
    public void awaitTraining() {
        train();
        archive.ifPresent(cds -> cds.awaitTraining(TRAINING_LIMIT));
    }

    private List<String> archiveOptions() {
        return isModular()
                ? List.of()
                : archive.map(cds -> cds.optionsFor(launch())).orElse(List.of());
    }

    private ClassDataArchive.Launch launch() {
        return new ClassDataArchive.Launch(launchOptions(opensItself()), classPath.archivable());
    }

    private List<String> launchOptions(boolean opens) {
        TransportProvider.CodePath path =
                isModular() ? TransportProvider.CodePath.MODULE_PATH : TransportProvider.CodePath.CLASS_PATH;
        Set<String> needed = new LinkedHashSet<>(List.of(AgronaAccess.option(path)));
        needed.addAll(transport.jvmOptions(path));
        List<String> options = new ArrayList<>(SMALL_AND_QUICK);
        for (String option : needed) {
            if (!(opens && AgronaAccess.isReplacing(option))) {
                options.add(option);
            }
        }
        if (isModular()) {
            options.add("--add-modules=ALL-MODULE-PATH");
        }
        return options;
    }

    /**
     * Returns whether a worker can open Agrona's package itself. A worker of the same JVM can do what this process has
     * done, and starts faster without the option.
     */
    private boolean opensItself() {
        return AgronaAccess.isOpenedInProcess()
                && config.text(ConfigKey.WORKER_JAVA).isEmpty()
                && config.text(ConfigKey.IMAGE).isEmpty();
    }

    /**
     * Returns where output goes. A backend rejects only an explicit setting that it cannot fulfil; the default is the
     * console if the backend has one.
     */
    static JobOutput output(FiberConfig config, BackendProvider backend) {
        Setting where = config.setting(ConfigKey.OUTPUT).orElseThrow();
        if (where.origin().source() == Origin.Source.DEFAULT
                && !backend.capabilities().contains(Capability.CONSOLE)) {
            Logs.of(WorkerSpecs.class)
                    .log(
                            Level.INFO,
                            "Backend '" + backend.name()
                                    + "' cannot show the output of workers on this console. Set output=files to write"
                                    + " it to files where they run, or output=none to hide this warning.");
            return new JobOutput.None();
        }
        return switch (where.value()) {
            case "files" ->
                new JobOutput.Files(config.path(ConfigKey.LOG_DIRECTORY)
                        .orElseGet(() -> Path.of("fiber-logs"))
                        .toAbsolutePath());
            case "none" -> new JobOutput.None();
            default -> new JobOutput.Console();
        };
    }

    /** Returns whether Fiber is a named module. Then workers must find it where this process does. */
    private boolean isModular() {
        return WorkerSpecs.class.getModule().isNamed();
    }

    private static List<String> modulePath() {
        StringTokenizer path = new StringTokenizer(System.getProperty("jdk.module.path", ""), File.pathSeparator);
        List<String> entries = new ArrayList<>();
        while (path.hasMoreTokens()) {
            entries.add(new File(path.nextToken()).getAbsolutePath());
        }
        return entries;
    }
}
