// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.spi.CallerHost;
import io.fiber.spi.Environment;
import io.fiber.spi.Probe;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.Submission;
import java.util.List;

/** The local backend, which does not tell that a job has ended: others learn that when they next ask their cluster. */
final class TacitBackend implements BackendProvider {
    private final LocalBackendProvider local = new LocalBackendProvider();

    @Override
    public String name() {
        return "tacit";
    }

    @Override
    public Probe probe(Environment environment) {
        return local.probe(environment);
    }

    @Override
    public Backend create(BackendContext context) {
        Backend backend = local.create(context);
        return new Backend() {
            @Override
            public CallerHost callerHost() {
                return backend.callerHost();
            }

            @Override
            public List<Job> submit(Submission submission, JobListener listener) {
                return backend.submit(submission, event -> {
                    if (!(event instanceof JobEvent.Ended)) {
                        listener.onEvent(event);
                    }
                });
            }

            @Override
            public void close() {
                backend.close();
            }
        };
    }
}
