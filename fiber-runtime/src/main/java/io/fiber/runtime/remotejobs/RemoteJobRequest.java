// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.remotejobs;

import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.spec.Resources;
import io.fiber.spec.Secret;
import io.fiber.spec.Volume;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A worker's request for workers of its own. How such a worker is started and where its output goes is not part of it,
 * because the process with the backend knows that; the rest of the submission is. Stateless.
 */
public final class RemoteJobRequest {

    /** The main class of every worker. */
    public static final String WORKER_MAIN = "io.fiber.runtime.worker.main.WorkerMain";

    private static final int CPUS = 1;
    private static final int MEMORY = 2;

    private RemoteJobRequest() {}

    /** Returns a builder for a request for workers, which does not say how they are started. */
    public static JobSpec.Builder ofAnyWorker() {
        return JobSpec.builder(
                new Program.Java(Optional.empty(), List.of(), List.of(), List.of(), WORKER_MAIN, List.of()));
    }

    /**
     * Returns the bytes that {@link #decode} parses. They contain secrets and must be sealed before they leave the
     * host.
     */
    static Payload encode(Submission asked) {
        PayloadOutput out = new PayloadOutput();
        write(asked.spec(), out);
        out.writeVarLong(asked.instances().size());
        for (Submission.Instance instance : asked.instances()) {
            out.writeText(instance.name());
            byte[] bootstrap = instance.bootstrap().copyBytes();
            out.writeVarLong(bootstrap.length);
            out.write(bootstrap, 0, bootstrap.length);
            Arrays.fill(bootstrap, (byte) 0);
        }
        return out.toPayload();
    }

    private static void write(JobSpec spec, PayloadOutput out) {
        write(spec.resources(), out);
        out.writeTextMap(spec.environment());
        out.writeTextMap(spec.labels());
        out.writeTextMap(spec.options());
        out.writeOptionalText(spec.image());
        out.writeOptionalText(spec.workingDirectory().map(Path::toString));
        out.writeOptionalText(spec.timeLimit().map(Duration::toString));
        out.writeVarLong(spec.volumes().size());
        for (Volume volume : spec.volumes()) {
            out.writeText(volume.text());
        }
    }

    private static void write(Resources resources, PayloadOutput out) {
        out.write((resources.cpus().isPresent() ? CPUS : 0)
                | (resources.memoryBytes().isPresent() ? MEMORY : 0));
        resources.cpus().ifPresent(cpus -> out.writeLong(Double.doubleToLongBits(cpus)));
        resources.memoryBytes().ifPresent(out::writeVarLong);
        out.writeVarLong(resources.gpus());
    }

    /**
     * Parses what {@link #encode} wrote.
     *
     * @throws IOException if it is something else
     */
    static Submission decode(Payload payload) throws IOException {
        PayloadInput in = payload.open();
        try {
            JobSpec spec = readSpec(in);
            List<Submission.Instance> instances = new ArrayList<>();
            for (long left = in.readVarLong(); left > 0; left--) {
                String name = in.readText();
                byte[] bootstrap = in.readExactly(Math.toIntExact(in.readVarLong()));
                instances.add(new Submission.Instance(name, Secret.of(bootstrap)));
            }
            if (in.remaining() > 0) {
                throw new IOException(in.remaining() + " bytes follow the end of a request for jobs.");
            }
            return new Submission(spec, instances);
        } catch (ArithmeticException | IllegalArgumentException | DateTimeException e) {
            throw new IOException("A job request of " + payload.length() + " bytes cannot be read: " + e, e);
        }
    }

    private static JobSpec readSpec(PayloadInput in) throws IOException {
        JobSpec.Builder spec = ofAnyWorker()
                .resources(readResources(in))
                .environment(in.readTextMap())
                .labels(in.readTextMap())
                .options(in.readTextMap());
        in.readOptionalText().ifPresent(spec::image);
        in.readOptionalText().map(Path::of).ifPresent(spec::workingDirectory);
        in.readOptionalText().map(Duration::parse).ifPresent(spec::timeLimit);
        List<Volume> volumes = new ArrayList<>();
        for (long left = in.readVarLong(); left > 0; left--) {
            volumes.add(Volume.parse(in.readText()));
        }
        return spec.volumes(volumes).build();
    }

    private static Resources readResources(PayloadInput in) throws IOException {
        int said = in.readByte();
        Resources read = Resources.unspecified();
        if ((said & CPUS) != 0) {
            read = read.withCpus(Double.longBitsToDouble(in.readLong()));
        }
        if ((said & MEMORY) != 0) {
            read = read.withMemoryBytes(in.readVarLong());
        }
        return read.withGpus(Math.toIntExact(in.readVarLong()));
    }
}
