// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.backend;

import io.fiber.spec.Secret;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.Submission;
import io.fiber.tck.host.OpenFiles;
import io.fiber.tck.host.ThreadCensus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The main class of a second JVM in a backend's test, which nothing but the backend uses. It runs brief jobs, and prints
 * what a backend has left or changed in its JVM. The kit starts it; authors of backends do not.
 */
public final class TidyMain {

    /** The exit code if something is found. */
    static final int FOUND = 3;

    private static final int MANY = 10;
    private static final long LOOK_AGAIN_MS = 50;

    /** What a run compares. */
    enum Look {
        /** The state that all code of a JVM shares. */
        AT_STATE,
        /** Open files, and threads. */
        AT_FILES
    }

    private final BackendFixture fixture;
    private final List<String> found = new ArrayList<>();
    private int submitted;

    private TidyMain(BackendFixture fixture) {
        this.fixture = fixture;
    }

    /**
     * Runs the jobs, and ends this JVM with 0, or with 3 if something was found.
     *
     * @param arguments the class name of the fixture, and the name of a {@link Look}
     * @throws ReflectiveOperationException if the fixture cannot be created
     * @throws InterruptedException if it is interrupted while it waits
     */
    public static void main(String[] arguments) throws ReflectiveOperationException, InterruptedException {
        List<String> found;
        try (BackendFixture fixture = Class.forName(arguments[0])
                .asSubclass(BackendFixture.class)
                .getConstructor()
                .newInstance()) {
            TidyMain run = new TidyMain(fixture);
            switch (Look.valueOf(arguments[1])) {
                case AT_STATE -> run.lookAtState();
                case AT_FILES -> run.lookAtFiles();
            }
            found = run.found;
        }
        found.forEach(System.out::println);
        System.exit(found.isEmpty() ? 0 : FOUND);
    }

    private void lookAtState() throws InterruptedException {
        Map<String, String> before = state();
        try (KitBackendContext context = new KitBackendContext(fixture);
                Backend backend = fixture.backend(context)) {
            compare(before, "while the backend is open, before its first job");
            run(context, backend, 1);
            compare(before, "while the backend is open, after its first job");
            run(context, backend, MANY);
            compare(before, "while the backend is open, after " + MANY + " more jobs");
        }
        if (Thread.interrupted()) {
            found.add("the thread that called the backend is interrupted");
        }
        compare(before, "after close");
    }

    private void compare(Map<String, String> before, String when) {
        Map<String, String> after = state();
        Set<String> names = new TreeSet<>(before.keySet());
        names.addAll(after.keySet());
        for (String name : names) {
            String was = before.getOrDefault(name, "unset");
            String is = after.getOrDefault(name, "unset");
            if (!was.equals(is)) {
                found.add(when + ", " + name + " was '" + was + "' and is '" + is + "'");
            }
        }
    }

    private static Map<String, String> state() {
        Map<String, String> state = new TreeMap<>();
        // The first look at the time zone sets a property.
        state.put("the default time zone", TimeZone.getDefault().getID());
        System.getProperties().forEach((name, value) -> state.put("the system property " + name, value.toString()));
        state.put("the default locale", Locale.getDefault().toString());
        state.put("standard output", System.out.toString());
        state.put("standard error", System.err.toString());
        state.put(
                "the default handler of uncaught exceptions",
                String.valueOf(Thread.getDefaultUncaughtExceptionHandler()));
        state.put(
                "the context class loader",
                String.valueOf(Thread.currentThread().getContextClassLoader()));
        return state;
    }

    private void lookAtFiles() throws InterruptedException {
        try (KitBackendContext context = new KitBackendContext(fixture);
                Backend backend = fixture.backend(context)) {
            // What the first session of a JVM opens for all.
            run(context, backend, 1);
        }
        List<String> before = OpenFiles.list();
        try (KitBackendContext context = new KitBackendContext(fixture);
                Backend backend = fixture.backend(context)) {
            // A backend may keep connections for as many requests as it makes at a time.
            run(context, backend, MANY);
            List<String> kept = OpenFiles.list();
            ThreadCensus threads = ThreadCensus.take();
            run(context, backend, MANY);
            String when = MANY + " more jobs have ended, and their process still has ";
            awaitFewerThan(MANY / 2, () -> OpenFiles.since(kept), fixture.endLimit(), when + "open");
            awaitFewerThan(
                    MANY / 2, () -> threads.leftAfter(Duration.ZERO), fixture.endLimit(), when + "the new threads");
        }
        awaitFewerThan(
                1,
                () -> openAfterCollection(before),
                fixture.leakLimit(),
                "the backend is closed, and its process still has open");
    }

    /** The JDK's HttpClient has no close before Java 21: its connections end when it is collected. */
    private static List<String> openAfterCollection(List<String> before) {
        System.gc();
        return OpenFiles.since(before);
    }

    private void awaitFewerThan(int most, Supplier<List<String>> left, Duration limit, String seen)
            throws InterruptedException {
        long deadlineNs = System.nanoTime() + limit.toNanos();
        while (left.get().size() >= most) {
            if (System.nanoTime() - deadlineNs > 0) {
                found.add(seen + " " + left.get());
                return;
            }
            Thread.sleep(LOOK_AGAIN_MS);
        }
    }

    private void run(KitBackendContext context, Backend backend, int count) throws InterruptedException {
        List<Submission.Instance> instances = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            instances.add(new Submission.Instance("tck-" + context.sessionId() + "-" + submitted++, Secret.empty()));
        }
        CountDownLatch ends = new CountDownLatch(count);
        backend.submit(new Submission(fixture.briefJob().build(), instances), event -> {
            if (event instanceof JobEvent.Ended) {
                ends.countDown();
            }
        });
        Duration limit = fixture.startLimit().plus(fixture.endLimit()).multipliedBy(1 + count / fixture.slots());
        if (!ends.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException(ends.getCount() + " of " + count + " jobs have not ended within " + limit);
        }
    }
}
