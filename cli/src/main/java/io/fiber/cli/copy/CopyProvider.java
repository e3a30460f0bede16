// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.copy;

import io.fiber.spec.Volume;
import io.fiber.spi.CallerHost;
import io.fiber.spi.Environment;
import io.fiber.spi.OptionKey;
import io.fiber.spi.Probe;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Submission;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A backend whose jobs see an additional volume, because sessions have no option for volumes while the contract of
 * backends does.
 *
 * @param real the backend
 * @param volume the additional volume
 * @param image the image in which they run; empty for the backend's own
 * @param told receives the events of jobs, in any thread of the backend
 */
record CopyProvider(BackendProvider real, Optional<Volume> volume, Optional<String> image, Consumer<JobEvent> told)
        implements BackendProvider {

    /** File names are bytes; with this setting a JVM converts them to text, whatever the image says. */
    private static final Map<String, String> LANGUAGE = Map.of("LC_ALL", "C.UTF-8");

    @Override
    public String name() {
        return real.name();
    }

    @Override
    public int spiVersion() {
        return real.spiVersion();
    }

    @Override
    public List<OptionKey> options() {
        return real.options();
    }

    @Override
    public Probe probe(Environment environment) {
        return real.probe(environment);
    }

    @Override
    public Set<Capability> capabilities() {
        return real.capabilities();
    }

    @Override
    public Backend create(BackendContext context) {
        return new WithVolume(real.create(context), this);
    }

    private record WithVolume(Backend real, CopyProvider terms) implements Backend {

        @Override
        public CallerHost callerHost() {
            return real.callerHost();
        }

        @Override
        public boolean isOneHost() {
            return real.isOneHost();
        }

        @Override
        public OptionalInt slots() {
            return real.slots();
        }

        @Override
        public List<Job> submit(Submission submission, JobListener listener) {
            Map<String, String> environment = new HashMap<>(submission.spec().environment());
            environment.putAll(LANGUAGE);
            JobSpec.Builder spec = submission.spec().toBuilder()
                    .environment(environment)
                    .volumes(terms.volume().stream().toList());
            terms.image().ifPresent(spec::image);
            return real.submit(new Submission(spec.build(), submission.instances()), event -> {
                terms.told().accept(event);
                listener.onEvent(event);
            });
        }

        @Override
        public void close() {
            real.close();
        }
    }
}
