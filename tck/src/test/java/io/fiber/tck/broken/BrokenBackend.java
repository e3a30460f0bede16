// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.broken;

import io.fiber.spec.EndCause;
import io.fiber.spec.Resources;
import io.fiber.spec.Secret;
import io.fiber.spi.CallerHost;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.DetachedJobs;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Leftover;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Reaper;
import io.fiber.spi.backend.Submission;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;

/** The simulated backend with one bug. */
@NullUnmarked
final class BrokenBackend implements Backend {

    private static final Path OF_ALL = Path.of("/tmp");
    private static final int REMEMBERED = 50;
    /** What is left of 63 behind a prefix. */
    private static final int SHORT_NAME = 57;

    private static final long LATE_NS = 50_000_000;

    /** Not even the garbage collector closes them. */
    private static final List<InputStream> STAY_OPEN = Collections.synchronizedList(new ArrayList<>());

    private final Backend real;
    private final BackendContext context;
    private final BackendBug bug;
    private final BrokenBackendProvider provider;
    private final List<BrokenJob> jobs = new CopyOnWriteArrayList<>();
    private final List<Path> copies = new ArrayList<>();
    private final List<InputStream> open = new ArrayList<>();
    private final Queue<Runnable> toldLate = new ConcurrentLinkedQueue<>();
    private final Set<String> forgotten = ConcurrentHashMap.newKeySet();
    private volatile boolean closing;
    private final Map<String, String> kept = new HashMap<>();
    private final Map<String, JobOutput> outputs = new ConcurrentHashMap<>();
    private final Set<String> startedNames = ConcurrentHashMap.newKeySet();
    private final Set<String> timedOut = ConcurrentHashMap.newKeySet();
    private final Map<String, Reaper.Registration> registrations = new ConcurrentHashMap<>();
    private boolean closed;
    private boolean outageSeen;

    BrokenBackend(Backend real, BackendContext context, BackendBug bug, BrokenBackendProvider provider) {
        this.real = real;
        this.context = context;
        this.bug = bug;
        this.provider = provider;
    }

    private boolean has(BackendBug other) {
        return bug == other;
    }

    List<BrokenJob> jobs() {
        return jobs;
    }

    @Override
    public CallerHost callerHost() {
        CallerHost host = real.callerHost();
        return has(BackendBug.CALLER_HOST_CHANGES) && !jobs.isEmpty()
                ? new CallerHost(host.bind(), "elsewhere", host.reach())
                : host;
    }

    @Override
    public List<Job> submit(Submission submission, JobListener listener) {
        if (closed && has(BackendBug.CLOSED_TAKES_MORE)) {
            return List.of();
        }
        if (has(BackendBug.LABELS_REFUSED) && !submission.spec().labels().isEmpty()) {
            throw new JobRejectedException("no labels");
        }
        if (has(BackendBug.NAMES_OF_ALL_SESSIONS)) {
            submission.instances().forEach(each -> provider.takeName(each.name()));
        }
        prepare();
        submission.instances().forEach(each -> register(each, submission.spec()));
        if (has(BackendBug.FILES_TRUNCATED) && submission.spec().output() instanceof JobOutput.Files files) {
            submission.instances().forEach(each -> delete(files.directory().resolve(each.name() + ".log")));
        }
        if (has(BackendBug.FIFTY_JOBS_ARE_REMEMBERED)) {
            submission.instances().stream().skip(REMEMBERED).forEach(each -> forgotten.add(each.name()));
        }
        JobListener broken = new BrokenListener(listener, this, bug);
        if (has(BackendBug.RUNS_TWICE)) {
            broken = runningAgain(submission, broken);
        }
        List<Job> submitted;
        try {
            submitted = real.submit(change(submission), broken);
        } catch (BackendUnavailableException e) {
            outageSeen = true;
            throw has(BackendBug.OUTAGE_IS_REJECTION) ? new JobRejectedException("refused", e) : e;
        } catch (JobRejectedException e) {
            throw has(BackendBug.REFUSAL_WITHOUT_CODE) ? new JobRejectedException("will not work", e) : e;
        }
        List<Job> returned = new ArrayList<>();
        submitted.forEach(job -> returned.add(new BrokenJob(job, this, bug, listener)));
        returned.forEach(job -> jobs.add((BrokenJob) job));
        if (has(BackendBug.TIME_COUNTS_FROM_SUBMISSION)) {
            submission.spec().timeLimit().ifPresent(limit -> submitted.forEach(job -> endAfter(job, limit)));
        }
        if (has(BackendBug.QUEUED_IS_RUNNING) && provider.isFull()) {
            returned.forEach(job -> listener.onEvent(new JobEvent.Running(job, "soon")));
        }
        if (has(BackendBug.JOBS_REVERSED)) {
            Collections.reverse(returned);
        }
        return has(BackendBug.SUBMIT_RETURNS_NULL) ? null : returned;
    }

    @Override
    public Optional<String> preview(Submission submission) {
        if (!has(BackendBug.PREVIEW_REFUSES_NOTHING)) {
            submission.requireOffered("simulated", provider.expected());
        }
        if (has(BackendBug.PREVIEW_STARTS)) {
            real.submit(submission, ignored -> {});
        }
        Submission shown = has(BackendBug.PREVIEW_SHOWS_BOOTSTRAP) ? withBootstrapAsArgument(submission) : submission;
        return Optional.of(((Program.Java) shown.spec().program())
                .commandLine("java", List.of(), ":")
                .toString());
    }

    private static Submission withBootstrapAsArgument(Submission submission) {
        Program.Java java = (Program.Java) submission.spec().program();
        List<String> arguments = new ArrayList<>(java.arguments());
        submission
                .instances()
                .forEach(each -> arguments.add(
                        Base64.getEncoder().encodeToString(each.bootstrap().copyBytes())));
        Program.Java telling = new Program.Java(
                java.executable(), java.jvmOptions(), java.classPath(), java.modulePath(), java.main(), arguments);
        return new Submission(JobSpec.builder(telling).build(), submission.instances());
    }

    /** As a platform does that starts again what has ended; before the end is told, so that nobody can be too early. */
    private JobListener runningAgain(Submission submission, JobListener listener) {
        return event -> {
            if (event instanceof JobEvent.Ended ended && ended.termination().cause() == EndCause.EXITED) {
                submission.instances().stream()
                        .filter(each -> each.name().equals(ended.job().name()))
                        .map(each -> Submission.of(submission.spec(), each.name(), each.bootstrap()))
                        .forEach(again -> real.submit(again, ignored -> {}));
            }
            listener.onEvent(event);
        };
    }

    private static void openFile(List<InputStream> open) {
        try {
            open.add(Files.newInputStream(Path.of("/dev/null")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void register(Submission.Instance instance, JobSpec spec) {
        if (has(BackendBug.FILES_OF_ENDED_JOBS_ARE_OPEN)) {
            openFile(open);
        }
        outputs.put(instance.name(), spec.output());
        if (has(BackendBug.BOOTSTRAP_IN_REAPER) && instance.bootstrap().length() > 0) {
            String secret = new String(instance.bootstrap().copyBytes(), StandardCharsets.ISO_8859_1);
            registrations.put(instance.name(), context.reaper().onDeath(List.of("true", secret)));
        }
    }

    private void endAfter(Job job, Duration limit) {
        Thread timer = new Thread(() -> {
            LockSupport.parkNanos(limit.toNanos());
            if (!job.state().isFinal()) {
                timedOut.add(job.name());
                job.cancel(Duration.ZERO);
            }
        });
        timer.setDaemon(true);
        timer.start();
    }

    boolean isTimedOut(Job job) {
        return timedOut.contains(job.name());
    }

    void saw(JobEvent event) {
        if (event instanceof JobEvent.Running) {
            startedNames.add(event.job().name());
        }
        Reaper.Registration registration = event instanceof JobEvent.Ended
                ? registrations.remove(event.job().name())
                : null;
        if (registration != null) {
            registration.cancel();
        }
    }

    boolean hasStarted(Job job) {
        return startedNames.contains(job.name());
    }

    JobOutput outputOf(Job job) {
        return outputs.get(job.name());
    }

    boolean isOut() {
        return provider.isOut();
    }

    @Override
    public boolean isOneHost() {
        return has(BackendBug.ONE_HOST_CHANGES) ? jobs.isEmpty() : real.isOneHost();
    }

    private static Submission.Instance withShortName(Submission.Instance instance) {
        String name = instance.name();
        return new Submission.Instance(name.substring(0, Math.min(SHORT_NAME, name.length())), instance.bootstrap());
    }

    private static List<Submission.Instance> inTextOrder(List<Submission.Instance> instances) {
        List<Integer> sorted = IntStream.range(0, instances.size())
                .boxed()
                .sorted(Comparator.comparing(String::valueOf))
                .toList();
        return IntStream.range(0, instances.size())
                .mapToObj(index -> new Submission.Instance(
                        instances.get(index).name(),
                        instances.get(sorted.get(index)).bootstrap()))
                .toList();
    }

    private void prepare() {
        if (has(BackendBug.LEAKS_THREAD)) {
            Thread thread = new Thread(provider::waitForFixture, "leaked-by-backend");
            thread.setDaemon(true);
            thread.start();
        }
        if (has(BackendBug.PROPERTY_IS_SET)) {
            System.setProperty("broken.session", context.sessionId());
        }
        if (has(BackendBug.FILES_STAY_OPEN)) {
            openFile(STAY_OPEN);
        }
        if (has(BackendBug.REAPER_FORGOTTEN)) {
            context.reaper().onDeath(List.of("true"));
        }
    }

    private Submission change(Submission submission) {
        List<Submission.Instance> instances = submission.instances();
        if (has(BackendBug.BOOTSTRAP_SHARED)) {
            Secret first = instances.get(0).bootstrap();
            instances = instances.stream()
                    .map(each -> new Submission.Instance(each.name(), first))
                    .toList();
        }
        if (has(BackendBug.BOOTSTRAP_CUT)) {
            instances = instances.stream()
                    .map(each -> new Submission.Instance(each.name(), cut(each.bootstrap())))
                    .toList();
        }
        if (has(BackendBug.BOOTSTRAPS_IN_TEXT_ORDER)) {
            instances = inTextOrder(instances);
        }
        if (has(BackendBug.LONG_NAMES_CUT)) {
            instances = instances.stream().map(BrokenBackend::withShortName).toList();
        }
        Map<String, String> environment = environment(submission);
        if (has(BackendBug.VARIABLES_STAY)) {
            kept.putAll(environment);
            environment = Map.copyOf(kept);
        }
        if (environment.getOrDefault(JobSpec.BOOTSTRAP_VARIABLE, "").startsWith("file:")) {
            instances = instances.stream()
                    .map(each -> new Submission.Instance(each.name(), Secret.empty()))
                    .toList();
        }
        JobSpec spec = submission.spec();
        Resources asked = spec.resources();
        boolean isLimitIgnored = has(BackendBug.WISH_IGNORED)
                || (has(BackendBug.PROCESSORS_IGNORED) && asked.cpus().isPresent())
                || (has(BackendBug.MEMORY_IGNORED) && asked.memoryBytes().isPresent())
                || has(BackendBug.HEAP_BEHIND_OPTIONS)
                || (has(BackendBug.GPUS_IGNORED) && asked.gpus() > 0)
                || (has(BackendBug.GPUS_SHARED) && asked.gpus() == 1);
        return new Submission(
                new JobSpec(
                        change(spec.program(), asked),
                        isLimitIgnored ? Resources.unspecified() : asked,
                        has(BackendBug.WISH_IGNORED) ? Optional.empty() : spec.image(),
                        has(BackendBug.WISH_IGNORED) ? List.of() : spec.volumes(),
                        has(BackendBug.LABELS_DROPPED) ? Map.of() : spec.labels(),
                        environment,
                        has(BackendBug.DIRECTORY_IGNORED) ? Optional.empty() : spec.workingDirectory(),
                        output(spec.output()),
                        has(BackendBug.TIME_LIMIT_IGNORED) || has(BackendBug.TIME_COUNTS_FROM_SUBMISSION)
                                ? Optional.empty()
                                : spec.timeLimit(),
                        restarts(spec),
                        spec.options()),
                instances);
    }

    private int restarts(JobSpec spec) {
        if (has(BackendBug.RESTARTS_IGNORED)) {
            return 0;
        }
        return has(BackendBug.ONE_RESTART_TOO_MANY) && spec.restarts() > 0 ? spec.restarts() + 1 : spec.restarts();
    }

    private JobOutput output(JobOutput output) {
        boolean ignored = (output instanceof JobOutput.Files && has(BackendBug.FILES_IGNORED))
                || (output instanceof JobOutput.Console && has(BackendBug.CONSOLE_IGNORED));
        return ignored ? new JobOutput.None() : output;
    }

    private Map<String, String> environment(Submission submission) {
        Map<String, String> changed = new HashMap<>(submission.spec().environment());
        byte[] secret = submission.instances().get(0).bootstrap().copyBytes();
        if (has(BackendBug.ENVIRONMENT_TRIMMED)) {
            changed.replaceAll((name, value) -> value.trim());
        }
        if (has(BackendBug.VALUES_ON_ONE_LINE)) {
            changed.replaceAll((name, value) -> value.replaceAll("[\\r\\n]+", " "));
        }
        if (has(BackendBug.VALUES_IN_ASCII)) {
            changed.replaceAll((name, value) -> ascii(value));
        }
        if (has(BackendBug.ODD_NAMES_LOST)) {
            changed.keySet().removeIf(name -> !name.matches("\\w+"));
        }
        spelled(secret).ifPresent(text -> changed.put("TOKEN", text));
        if (secret.length > 0 && submission.instances().size() == 1) {
            copyIsPlaced(secret).ifPresent(file -> changed.put(JobSpec.BOOTSTRAP_VARIABLE, "file:" + file));
        }
        if (has(BackendBug.VARIABLE_ALWAYS_SET)) {
            changed.put(JobSpec.BOOTSTRAP_VARIABLE, "none");
        }
        return changed;
    }

    private static String ascii(String text) {
        return new String(text.getBytes(StandardCharsets.US_ASCII), StandardCharsets.US_ASCII);
    }

    private static Secret cut(Secret secret) {
        return Secret.of(Arrays.copyOf(secret.copyBytes(), Math.min(secret.length(), 65_536)));
    }

    /** Returns the secret as it is shown in a variable; empty without such a bug. */
    private Optional<String> spelled(byte[] secret) {
        byte[] behindMore =
                ("x" + new String(secret, StandardCharsets.ISO_8859_1)).getBytes(StandardCharsets.ISO_8859_1);
        return switch (bug) {
            case BOOTSTRAP_IN_ENVIRONMENT -> Optional.of(new String(secret, StandardCharsets.ISO_8859_1));
            case BOOTSTRAP_IN_BASE64 -> Optional.of(Base64.getUrlEncoder().encodeToString(behindMore));
            case BOOTSTRAP_IN_BASE32 -> Optional.of(base32(behindMore));
            case BOOTSTRAP_IN_HEX ->
                Optional.of(HexFormat.ofDelimiter(":").withUpperCase().formatHex(secret));
            case BOOTSTRAP_IN_NUMBERS -> Optional.of(Arrays.toString(secret));
            case BOOTSTRAP_BACKWARDS ->
                Optional.of(new StringBuilder(new String(secret, StandardCharsets.ISO_8859_1))
                        .reverse()
                        .toString());
            default -> Optional.empty();
        };
    }

    private static String base32(byte[] bytes) {
        StringBuilder bits = new StringBuilder();
        for (byte octet : bytes) {
            bits.append(Integer.toBinaryString(256 | (octet & 0xff)).substring(1));
        }
        bits.append("0000");
        StringBuilder text = new StringBuilder();
        for (int at = 0; at + 5 <= bits.length(); at += 5) {
            text.append("abcdefghijklmnopqrstuvwxyz234567".charAt(Integer.parseInt(bits.substring(at, at + 5), 2)));
        }
        return text.toString();
    }

    /** Writes the secret where it should not be; returns the file that the program is to read in place of its own. */
    private Optional<Path> copyIsPlaced(byte[] secret) {
        try {
            switch (bug) {
                case BOOTSTRAP_COPIED -> place(Files.createTempFile(OF_ALL, "broken", ".copy"), secret, "rw-------");
                case BOOTSTRAP_OF_ALL -> {
                    return Optional.of(place(Files.createTempFile(OF_ALL, "broken", ".bytes"), secret, "rw-r--r--"));
                }
                case BOOTSTRAP_AMONG_ALL -> {
                    return Optional.of(place(Files.createTempFile(OF_ALL, "broken", ".bytes"), secret, "rw-------"));
                }
                default -> {}
            }
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path place(Path file, byte[] secret, String mode) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
        Files.write(file, secret);
        copies.add(file);
        return file;
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void closeFiles() {
        for (InputStream each : open) {
            try {
                each.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Removes the files that a bug has left; after the test. */
    void tidyUp() {
        closeFiles();
        copies.forEach(BrokenBackend::delete);
    }

    private List<String> jvmOptions(Program.Java java, Resources asked) {
        List<String> options = new ArrayList<>(has(BackendBug.JVM_OPTIONS_DROPPED) ? List.of() : java.jvmOptions());
        if (has(BackendBug.HEAP_BEHIND_OPTIONS)) {
            asked.memoryBytes().ifPresent(bytes -> options.add("-Xmx" + bytes));
        }
        return options;
    }

    private Program change(Program program, Resources asked) {
        if (program instanceof Program.Command command && has(BackendBug.COMMAND_WORDS_TRIMMED)) {
            return new Program.Command(command.words().stream()
                    .map(word -> word.replaceAll(" +", " "))
                    .toList());
        }
        if (!(program instanceof Program.Java java)) {
            return program;
        }
        return new Program.Java(
                java.executable(),
                jvmOptions(java, asked),
                java.classPath(),
                java.modulePath(),
                java.main(),
                java.arguments().stream()
                        .filter(word -> !word.isEmpty() || !has(BackendBug.EMPTY_ARGUMENTS_LOST))
                        .map(word -> has(BackendBug.WORDS_IN_ASCII) ? ascii(word) : word)
                        .map(word -> has(BackendBug.LONG_WORDS_CUT)
                                ? word.substring(0, Math.min(4_096, word.length()))
                                : word)
                        .map(word -> has(BackendBug.WORDS_ON_ONE_LINE) ? word.replaceAll("[\\r\\n]+", " ") : word)
                        .toList());
    }

    void tellEveryJobIsLost() {
        outageSeen = true;
        jobs.forEach(job -> job.listener().onEvent(new JobEvent.Ended(job, JobTermination.lost("no answer"))));
    }

    void sawOutage() {
        outageSeen = true;
    }

    boolean isForgotten(Job job) {
        return forgotten.contains(job.name());
    }

    boolean isClosing() {
        return closing;
    }

    void tellLate(Runnable word) {
        toldLate.add(word);
    }

    boolean hasSeenOutage() {
        return outageSeen;
    }

    boolean isPlatformFull() {
        return provider.isFull();
    }

    @Override
    public List<Leftover> leftovers() {
        List<Leftover> left = new ArrayList<>(real.leftovers());
        if (has(BackendBug.LIVE_SESSIONS_ARE_LEFT)) {
            provider.sessionIds().forEach(id -> left.add(new Leftover(id, "something", Optional.empty())));
        }
        return left;
    }

    @Override
    public void remove(Leftover leftover) {
        if (!has(BackendBug.LEFTOVERS_STAY)) {
            real.remove(leftover);
        }
    }

    @Override
    public Optional<DetachedJobs> detachedJobs() {
        return real.detachedJobs().map(runs -> new BrokenRuns(runs, context.sessionId(), bug));
    }

    String sessionId() {
        return context.sessionId();
    }

    void closeReally() {
        real.close();
    }

    @Override
    public void close() {
        if (closed && has(BackendBug.SECOND_CLOSE_THROWS)) {
            throw new IllegalStateException("closed already");
        }
        if (!closed && outageSeen && has(BackendBug.SLOW_CLOSE_IN_OUTAGE)) {
            long endNs = System.nanoTime() + Duration.ofMillis(12_500).toNanos();
            while (System.nanoTime() - endNs < 0) {
                LockSupport.parkNanos(10_000_000);
            }
        }
        if (!closed
                && has(BackendBug.INTERRUPT_ENDS_CLOSE)
                && Thread.currentThread().isInterrupted()) {
            closed = true;
            return;
        }
        closed = true;
        closing = true;
        if (!has(BackendBug.BOOTSTRAP_COPIED)) {
            tidyUp();
        }
        if (has(BackendBug.CLOSE_HITS_OTHERS)) {
            provider.closeOthers();
        }
        real.close();
        if (has(BackendBug.TOLD_AFTER_CLOSE)) {
            new Thread(() -> {
                        LockSupport.parkNanos(LATE_NS);
                        toldLate.forEach(Runnable::run);
                    })
                    .start();
        }
        if (has(BackendBug.LEAVES_FILE)) {
            try {
                Files.writeString(context.directory().resolve("left"), "left");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
