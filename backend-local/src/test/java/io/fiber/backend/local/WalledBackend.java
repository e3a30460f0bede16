// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.spi.CallerHost;
import io.fiber.spi.Environment;
import io.fiber.spi.Probe;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.Submission;
import java.net.InetAddress;
import java.util.List;

/** The local backend, whose jobs say that they are to be reached over the network. */
final class WalledBackend implements BackendProvider {
    private final LocalBackendProvider local = new LocalBackendProvider();

    @Override
    public String name() {
        return "walled";
    }

    @Override
    public Probe probe(Environment environment) {
        return local.probe(environment);
    }

    @Override
    public Backend create(BackendContext context) {
        Backend backend = local.create(context);
        InetAddress loopback = InetAddress.getLoopbackAddress();
        return new Backend() {
            @Override
            public CallerHost callerHost() {
                return new CallerHost(loopback, loopback.getHostAddress(), CallerHost.Reach.NETWORK);
            }

            @Override
            public List<Job> submit(Submission submission, JobListener listener) {
                return backend.submit(submission, listener);
            }

            @Override
            public void close() {
                backend.close();
            }
        };
    }
}
