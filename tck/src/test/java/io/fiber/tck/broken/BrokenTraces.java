// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.broken;

import io.fiber.spi.backend.BackendContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** What a backend with one bug leaves in files, and in the JVM that it runs in. */
final class BrokenTraces {

    private static final Path OF_ALL = Path.of("/tmp");

    /** Not even the garbage collector closes them. */
    private static final List<InputStream> STAY_OPEN = Collections.synchronizedList(new ArrayList<>());

    private final BackendContext context;
    private final BackendBug bug;
    private final BrokenBackendProvider provider;
    private final Locale locale = Locale.getDefault();
    private final List<Path> copies = new ArrayList<>();
    private final List<InputStream> open = new ArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    BrokenTraces(BackendContext context, BackendBug bug, BrokenBackendProvider provider) {
        this.context = context;
        this.bug = bug;
        this.provider = provider;
    }

    /** Leaves what each submission leaves. */
    void ofASubmission() {
        switch (bug) {
            case LEAKS_THREAD -> start("leaked-by-backend", provider::waitForFixture);
            case PROPERTY_IS_SET -> System.setProperty("broken.session", context.sessionId());
            case LOCALE_CHANGES_WHILE_OPEN -> Locale.setDefault(Locale.forLanguageTag("tr"));
            case FILES_STAY_OPEN -> openFile(STAY_OPEN);
            case REAPER_FORGOTTEN -> context.reaper().onDeath(List.of("true"));
            default -> {}
        }
    }

    /** Leaves what each job leaves. */
    void ofAJob() {
        switch (bug) {
            case FILES_OF_ENDED_JOBS_ARE_OPEN -> openFile(open);
            case THREADS_OF_ENDED_JOBS_LIVE -> start("of-a-job", this::awaitClose);
            default -> {}
        }
    }

    private static void start(String name, Runnable action) {
        Thread thread = new Thread(action, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void awaitClose() {
        try {
            closed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Leaves what close leaves, and nothing else. */
    void ofClose() {
        closed.countDown();
        if (bug != BackendBug.BOOTSTRAP_COPIED) {
            tidyUp();
        }
        if (bug == BackendBug.LOCALE_CHANGES_WHILE_OPEN) {
            Locale.setDefault(locale);
        }
    }

    /** Leaves a file when everything else is closed. */
    void afterClose() {
        if (bug == BackendBug.LEAVES_FILE) {
            try {
                Files.writeString(context.directory().resolve("left"), "left");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Writes the secret where it should not be; returns the file that the program is to read in place of its own. */
    Optional<Path> copyOf(byte[] secret) {
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

    private static void openFile(List<InputStream> open) {
        try {
            open.add(Files.newInputStream(Path.of("/dev/null")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Removes the files that a bug has left; after the test. */
    void tidyUp() {
        for (InputStream each : open) {
            try {
                each.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        copies.forEach(BrokenTraces::delete);
    }

    static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
