// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.broken;

import io.fiber.spi.Environment;
import io.fiber.spi.OptionKey;
import io.fiber.spi.OptionType;
import io.fiber.spi.Probe;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.tck.simulated.SimulatedPlatform;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** The provider of the simulated backend with one bug. */
final class BrokenBackendProvider implements BackendProvider {

    private final SimulatedPlatform platform;
    private final BackendBug bug;
    private final CountDownLatch fixtureClosed;
    private final List<BrokenBackend> opened = new ArrayList<>();
    private final Set<String> names = ConcurrentHashMap.newKeySet();
    private volatile boolean losesAnswer;
    private volatile boolean full;
    private volatile boolean out;

    BrokenBackendProvider(SimulatedPlatform platform, BackendBug bug, CountDownLatch fixtureClosed) {
        this.platform = platform;
        this.bug = bug;
        this.fixtureClosed = fixtureClosed;
        if (bug == BackendBug.SESSIONS_LIVE_ON) {
            platform.letSessions(SimulatedPlatform.Sessions.LIVE_ON);
        }
        if (bug == BackendBug.JOBS_STAY_LISTED) {
            platform.keepEndedJobs();
        }
        if (bug == BackendBug.FILES_FOR_ALL) {
            platform.setUmask("0000");
        }
    }

    @Override
    public String name() {
        return switch (bug) {
            case ANOTHER_NAME -> "another";
            case NOT_REGISTERED -> "unregistered";
            default -> "simulated";
        };
    }

    @Override
    public int spiVersion() {
        return bug == BackendBug.BAD_SPI_VERSION ? 99 : 1;
    }

    @Override
    public List<OptionKey> options() {
        OptionKey key = OptionKey.of("size", OptionType.INTEGER, "1", "How large it is, in nodes.");
        return bug == BackendBug.OPTION_TWICE ? List.of(key, key) : List.of(key);
    }

    @Override
    public Probe probe(Environment environment) {
        if (bug == BackendBug.PROBE_THROWS) {
            throw new IllegalStateException("no PATH");
        }
        return platform.provider().probe(environment);
    }

    @Override
    public Set<Capability> capabilities() {
        Set<Capability> declared = EnumSet.copyOf(expected());
        if (bug == BackendBug.UNEXPECTED_CAPABILITY) {
            declared.add(Capability.GPU);
        }
        return declared;
    }

    /** Returns what the fixture expects. */
    Set<Capability> expected() {
        Set<Capability> expected = EnumSet.copyOf(platform.provider().capabilities());
        if (bug == BackendBug.LOGS_NOT_DECLARED) {
            expected.remove(Capability.LOGS);
        }
        if (bug == BackendBug.LABELS_REFUSED) {
            expected.remove(Capability.LABELS);
        }
        switch (bug) {
            case PROCESSORS_IGNORED -> expected.add(Capability.CPU_LIMIT);
            case MEMORY_IGNORED, HEAP_BEHIND_OPTIONS -> expected.add(Capability.MEMORY_LIMIT);
            case GPUS_IGNORED, GPUS_SHARED -> expected.add(Capability.GPU);
            default -> {}
        }
        return expected;
    }

    @Override
    public Backend create(BackendContext context) {
        BrokenBackend backend = new BrokenBackend(platform.provider().create(context), context, bug, this);
        opened.add(backend);
        return backend;
    }

    /** Returns the sessions of all backends that were opened. */
    List<String> sessionIds() {
        return opened.stream().map(BrokenBackend::sessionId).toList();
    }

    void closeOthers() {
        opened.forEach(BrokenBackend::closeReally);
    }

    /** Tells of every job that it is lost, as a backend does that takes an outage for the end. */
    void tellEveryJobIsLost() {
        opened.forEach(BrokenBackend::tellEveryJobIsLost);
    }

    /** Tells whether the platform has no place for another job. */
    boolean isFull() {
        return full;
    }

    /** Refuses a name that a job of any session has. */
    void takeName(String name) {
        if (!names.add(name)) {
            throw new JobRejectedException("there is a job of the name " + name);
        }
    }

    boolean isOut() {
        return out;
    }

    void setOut(boolean value) {
        out = value;
    }

    /** Makes the next submission one whose answer is lost. */
    void loseNextAnswer() {
        losesAnswer = true;
    }

    boolean losesAnswer() {
        boolean loses = losesAnswer;
        losesAnswer = false;
        return loses;
    }

    /** Tells that a job runs again. */
    void tellStart(Job job) {
        opened.forEach(backend -> backend.tellStart(job));
    }

    void fill() {
        full = true;
    }

    void empty() {
        full = false;
    }

    /** Removes what bugs have left. */
    void tidyUp() {
        opened.forEach(BrokenBackend::tidyUp);
    }

    void sawOutage() {
        opened.forEach(BrokenBackend::sawOutage);
    }

    void waitForFixture() {
        try {
            fixtureClosed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
