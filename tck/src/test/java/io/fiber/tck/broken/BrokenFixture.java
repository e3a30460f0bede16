// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.broken;

import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.Job;
import io.fiber.tck.backend.BackendFixture;
import io.fiber.tck.simulated.SimulatedFixture;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/** The simulated platform behind a backend with a bug. */
class BrokenFixture extends SimulatedFixture {

    private static final long PATIENCE_NS = 2_900_000_000L;

    private final BackendBug bug;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final BrokenBackendProvider provider;
    private volatile long beganNs;

    BrokenFixture(BackendBug bug) {
        this.bug = bug;
        this.provider = new BrokenBackendProvider(platform(), bug, closed);
    }

    /** What the second JVM makes. */
    public static final class WithoutConsole extends BrokenFixture {

        /** Creates it with the one bug that needs a second JVM. */
        public WithoutConsole() {
            super(BackendBug.CONSOLE_IGNORED);
        }
    }

    /** What the second JVM makes. */
    public static final class WithProperty extends BrokenFixture {

        /** Creates it with this bug. */
        public WithProperty() {
            super(BackendBug.PROPERTY_IS_SET);
        }
    }

    /** What the second JVM makes. */
    public static final class WithFilesOfEndedJobs extends BrokenFixture {

        /** Creates it with this bug. */
        public WithFilesOfEndedJobs() {
            super(BackendBug.FILES_OF_ENDED_JOBS_ARE_OPEN);
        }
    }

    /** What the second JVM makes. */
    public static final class WithOpenFiles extends BrokenFixture {

        /** Creates it with this bug. */
        public WithOpenFiles() {
            super(BackendBug.FILES_STAY_OPEN);
        }
    }

    /** What the second JVM makes. */
    public static final class WithThreadsOfEndedJobs extends BrokenFixture {

        /** Creates it with this bug. */
        public WithThreadsOfEndedJobs() {
            super(BackendBug.THREADS_OF_ENDED_JOBS_LIVE);
        }
    }

    /** What the second JVM makes. */
    public static final class WithLocale extends BrokenFixture {

        /** Creates it with this bug. */
        public WithLocale() {
            super(BackendBug.LOCALE_CHANGES_WHILE_OPEN);
        }
    }

    /** What the second JVM makes. */
    public static final class WithVariables extends BrokenFixture {

        /** Creates it with this bug. */
        public WithVariables() {
            super(BackendBug.VARIABLES_COME_ALONG);
        }
    }

    /** What the second JVM makes, whose console has no line that the program did not end. */
    public static final class WithoutUnfinishedLine extends SimulatedFixture {

        /** Creates it, and changes the console. */
        public WithoutUnfinishedLine() {
            PrintStream console = System.out;
            System.setOut(new PrintStream(console, true) {
                @Override
                public void println(String line) {
                    if (!line.equals("without an end")) {
                        super.println(line);
                    }
                }
            });
        }
    }

    @Override
    public String name() {
        return bug == BackendBug.NOT_REGISTERED ? "unregistered" : super.name();
    }

    @Override
    public BackendProvider provider() {
        return provider;
    }

    @Override
    public Set<Capability> capabilities() {
        return provider.expected();
    }

    /** Many bugs cost it: what never comes is waited for that long. */
    @Override
    public Duration startLimit() {
        return Duration.ofSeconds(10);
    }

    /** Longer than any other outage of the kit lasts. */
    @Override
    public Duration outageLength() {
        return bug == BackendBug.LONG_OUTAGE_IS_DEATH ? Duration.ofSeconds(3) : super.outageLength();
    }

    /** Bugs that give a GPU to every job need only the number. */
    @Override
    public int gpus() {
        return capabilities().contains(Capability.GPU) ? 1 : 0;
    }

    @Override
    public Duration leakLimit() {
        return bug == BackendBug.LEAKS_THREAD ? Duration.ofMillis(100) : super.leakLimit();
    }

    /** A second JVM costs a second; only the bugs that need it get one. */
    @Override
    public Optional<Class<? extends BackendFixture>> masterFixture() {
        return switch (bug) {
            case CONSOLE_IGNORED -> Optional.of(WithoutConsole.class);
            case PROPERTY_IS_SET -> Optional.of(WithProperty.class);
            case FILES_OF_ENDED_JOBS_ARE_OPEN -> Optional.of(WithFilesOfEndedJobs.class);
            case THREADS_OF_ENDED_JOBS_LIVE -> Optional.of(WithThreadsOfEndedJobs.class);
            case LOCALE_CHANGES_WHILE_OPEN -> Optional.of(WithLocale.class);
            case VARIABLES_COME_ALONG -> Optional.of(WithVariables.class);
            case FILES_STAY_OPEN -> Optional.of(WithOpenFiles.class);
            case CONSOLE_WITHOUT_UNFINISHED_LINE -> Optional.of(WithoutUnfinishedLine.class);
            default -> Optional.empty();
        };
    }

    private static Job real(Job job) {
        return job instanceof BrokenJob broken ? broken.real() : job;
    }

    @Override
    public Optional<Consumer<Job>> killer() {
        return Optional.of(job -> platform().kill(real(job)));
    }

    @Override
    public Optional<Suspension> suspension() {
        return Optional.of(new Suspension() {
            @Override
            public void begin(Job job) {
                if (bug == BackendBug.SUSPENDED_IS_ENDED) {
                    provider.tellEveryJobIsLost();
                } else {
                    platform().suspend(real(job));
                }
            }

            @Override
            public void end(Job job) {
                platform().resume(real(job));
            }
        });
    }

    @Override
    public Optional<Runnable> answerLoss() {
        return bug == BackendBug.LOST_ANSWER_IS_REPEATED ? Optional.of(provider::loseNextAnswer) : super.answerLoss();
    }

    @Override
    public Optional<Consumer<Job>> restarter() {
        return Optional.of(job -> {
            platform().restart(real(job));
            if (bug == BackendBug.RESTART_IS_A_NEW_START) {
                provider.tellStart(job);
            }
        });
    }

    @Override
    public Optional<Consumer<Job>> preempter() {
        return Optional.of(job -> platform().preempt(real(job), Duration.ofMillis(50)));
    }

    @Override
    public Optional<Map<String, String>> labelsOf(Job job) {
        return super.labelsOf(real(job));
    }

    @Override
    public Optional<Outage> outage() {
        return Optional.of(new Outage() {
            @Override
            public void begin() {
                platform().beginOutage();
                provider.setOut(true);
                if (bug == BackendBug.OUTAGE_IS_DEATH) {
                    provider.tellEveryJobIsLost();
                }
                beganNs = System.nanoTime();
                provider.sawOutage();
            }

            @Override
            public void end() {
                if (bug == BackendBug.LONG_OUTAGE_IS_DEATH && System.nanoTime() - beganNs >= PATIENCE_NS) {
                    provider.tellEveryJobIsLost();
                }
                provider.setOut(false);
                platform().endOutage();
            }
        });
    }

    @Override
    public Optional<Fullness> fullness() {
        return super.fullness().map(real -> new Fullness() {
            @Override
            public void begin() {
                real.begin();
                provider.fill();
            }

            @Override
            public void end() {
                provider.empty();
                real.end();
            }
        });
    }

    @Override
    public void close() {
        closed.countDown();
        provider.tidyUp();
        super.close();
    }
}
