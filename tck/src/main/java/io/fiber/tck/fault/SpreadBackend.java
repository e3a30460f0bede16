// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.fault;

import static java.util.Objects.requireNonNull;

import io.fiber.spi.CallerHost;
import io.fiber.spi.Environment;
import io.fiber.spi.Probe;
import io.fiber.spi.SpiVersion;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A backend of child processes that are distributed over the hosts of a {@link PrivateNetwork} in turn. Like a
 * cluster's scheduler, it starts nothing on disconnected hosts. Its jobs reach this process over the network.
 * Thread-safe.
 */
public final class SpreadBackend implements BackendProvider {

    private final BackendProvider children;
    private final CallerHost caller;
    private final List<PrivateNetwork.Host> hosts;
    private final AtomicInteger turn = new AtomicInteger();

    /**
     * Creates the backend.
     *
     * @param children creates child processes of this one; it runs the command of a job unchanged
     * @param network the network of this process
     * @param hosts hosts of the network, at least one of which must be connected when a job is started
     */
    public SpreadBackend(BackendProvider children, PrivateNetwork network, List<PrivateNetwork.Host> hosts) {
        this.children = requireNonNull(children, "children");
        this.hosts = List.copyOf(hosts);
        this.caller = new CallerHost(network.address(), network.address().getHostAddress(), CallerHost.Reach.NETWORK);
    }

    @Override
    public String name() {
        return "spread";
    }

    @Override
    public int spiVersion() {
        return SpiVersion.CURRENT;
    }

    @Override
    public Probe probe(Environment environment) {
        return children.probe(environment);
    }

    @Override
    public Set<Capability> capabilities() {
        return children.capabilities();
    }

    @Override
    public Backend create(BackendContext context) {
        return new Spread(children.create(context));
    }

    private final class Spread implements Backend {
        private final Backend backend;

        Spread(Backend backend) {
            this.backend = backend;
        }

        @Override
        public CallerHost callerHost() {
            return caller;
        }

        @Override
        public List<Job> submit(Submission submission, JobListener listener) {
            List<Job> jobs = new ArrayList<>();
            for (Submission.Instance instance : submission.instances()) {
                jobs.addAll(
                        backend.submit(new Submission(on(nextHost(), submission.spec()), List.of(instance)), listener));
            }
            return List.copyOf(jobs);
        }

        @Override
        public Optional<String> preview(Submission submission) {
            return backend.preview(submission);
        }

        @Override
        public void close() {
            backend.close();
        }
    }

    private PrivateNetwork.Host nextHost() {
        for (int tries = 0; tries < hosts.size(); tries++) {
            PrivateNetwork.Host host = hosts.get(Math.floorMod(turn.getAndIncrement(), hosts.size()));
            if (!host.isCut()) {
                return host;
            }
        }
        throw new IllegalStateException("every host is cut off");
    }

    private static JobSpec on(PrivateNetwork.Host host, JobSpec spec) {
        List<String> words = spec.program() instanceof Program.Java java
                ? java.commandLine(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        List.of(),
                        File.pathSeparator)
                : ((Program.Command) spec.program()).words();
        return spec.toBuilder(new Program.Command(host.command(words))).build();
    }
}
