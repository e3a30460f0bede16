// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.runtime.protocol.Bootstrap;
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
import io.fiber.spi.backend.Submission;
import io.fiber.spi.transport.Address;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;

/** The local backend, with somebody who sees what each job is told and may send it elsewhere. */
final class Interceptor implements BackendProvider {

    private final List<Bootstrap> bootstraps = new CopyOnWriteArrayList<>();
    private final List<JobSpec> specs = new CopyOnWriteArrayList<>();
    private volatile UnaryOperator<Address> detour = address -> address;
    private volatile IntUnaryOperator framing = length -> length;
    private volatile Consumer<Bootstrap> beforeStart = bootstrap -> {};

    /** Lets jobs dial another address than the master's. */
    Interceptor detour(UnaryOperator<Address> newDetour) {
        detour = newDetour;
        return this;
    }

    /** Tells jobs another length of frames than the master's. */
    Interceptor framing(IntUnaryOperator newFraming) {
        framing = newFraming;
        return this;
    }

    /** Runs something before each job is started. */
    Interceptor beforeStart(Consumer<Bootstrap> action) {
        beforeStart = action;
        return this;
    }

    /** Returns what the jobs were told so far, with the master's own addresses. */
    List<Bootstrap> bootstraps() {
        return bootstraps;
    }

    /** Returns what was said of the jobs so far, for each submission once. */
    List<JobSpec> specs() {
        return specs;
    }

    @Override
    public String name() {
        return "intercepted";
    }

    @Override
    public int spiVersion() {
        return SpiVersion.CURRENT;
    }

    @Override
    public Probe probe(Environment environment) {
        return new Probe.Usable("this is a test");
    }

    @Override
    public Set<Capability> capabilities() {
        return LocalBackendProvider.CAPABILITIES;
    }

    @Override
    public Backend create(BackendContext context) {
        LocalBackend local = new LocalBackend(context);
        return new Backend() {
            @Override
            public CallerHost callerHost() {
                return local.callerHost();
            }

            @Override
            public List<Job> submit(Submission submission, JobListener listener) {
                return local.submit(intercept(submission), listener);
            }

            @Override
            public void close() {
                local.close();
            }
        };
    }

    private Submission intercept(Submission submission) {
        specs.add(submission.spec());
        List<Submission.Instance> instances = new ArrayList<>();
        for (Submission.Instance instance : submission.instances()) {
            Bootstrap told = decode(instance.bootstrap().copyBytes());
            bootstraps.add(told);
            beforeStart.accept(told);
            Bootstrap changed = new Bootstrap(
                    told.sessionId(),
                    told.processAddress(),
                    told.jobKey(),
                    told.name(),
                    told.parent(),
                    told.transport(),
                    detour.apply(told.address()),
                    framing.applyAsInt(told.maxFrameLength()),
                    told.config(),
                    told.properties(),
                    told.classPath());
            instances.add(new Submission.Instance(instance.name(), changed.encode()));
        }
        return new Submission(submission.spec(), instances);
    }

    private static Bootstrap decode(byte[] bytes) {
        try {
            return Bootstrap.decode(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
