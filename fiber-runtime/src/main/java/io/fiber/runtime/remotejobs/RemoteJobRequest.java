// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.remotejobs;

import io.fiber.runtime.process.JobChoices;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.spi.Resources;
import io.fiber.spi.Secret;
import io.fiber.spi.backend.Submission;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What a worker asks for: workers of its own. How such a one is started is not said here, because the process that holds
 * the backend knows it; only what differs travels.
 *
 * @param resources what each of them needs
 * @param choices what each of them gets beside that
 * @param instances their names, as the asking session has them, and their bootstrap bytes
 */
record RemoteJobRequest(Resources resources, JobChoices choices, List<Submission.Instance> instances) {

    private static final int CPUS = 1;
    private static final int MEMORY = 2;

    /** Returns the bytes that {@link #decode} reads. They hold secrets and must be sealed before they leave the host. */
    Payload encode() {
        PayloadOutput out = new PayloadOutput();
        writeResources(out);
        choices.write(out);
        out.writeVarLong(instances.size());
        for (Submission.Instance instance : instances) {
            out.writeText(instance.name());
            byte[] bootstrap = instance.bootstrap().copyBytes();
            out.writeVarLong(bootstrap.length);
            out.write(bootstrap, 0, bootstrap.length);
            Arrays.fill(bootstrap, (byte) 0);
        }
        return out.toPayload();
    }

    private void writeResources(PayloadOutput out) {
        out.write((resources.cpus().isPresent() ? CPUS : 0)
                | (resources.memoryBytes().isPresent() ? MEMORY : 0));
        resources.cpus().ifPresent(cpus -> out.writeLong(Double.doubleToLongBits(cpus)));
        resources.memoryBytes().ifPresent(out::writeVarLong);
        out.writeVarLong(resources.gpus());
    }

    /**
     * Reads what {@link #encode} wrote.
     *
     * @throws IOException when it is something else
     */
    static RemoteJobRequest decode(Payload payload) throws IOException {
        PayloadInput in = payload.open();
        try {
            Resources resources = readResources(in);
            JobChoices choices = JobChoices.read(in);
            List<Submission.Instance> instances = new ArrayList<>();
            for (long left = in.readVarLong(); left > 0; left--) {
                String name = in.readText();
                byte[] bootstrap = in.readExactly(Math.toIntExact(in.readVarLong()));
                instances.add(new Submission.Instance(name, Secret.of(bootstrap)));
            }
            if (in.remaining() > 0) {
                throw new IOException(in.remaining() + " bytes follow the end of a request for jobs.");
            }
            return new RemoteJobRequest(resources, choices, instances);
        } catch (ArithmeticException | IllegalArgumentException e) {
            throw new IOException("A request for jobs of " + payload.length() + " bytes cannot be read: " + e, e);
        }
    }

    private static Resources readResources(PayloadInput in) throws IOException {
        int said = in.readByte();
        OptionalDouble cpus =
                (said & CPUS) == 0 ? OptionalDouble.empty() : OptionalDouble.of(Double.longBitsToDouble(in.readLong()));
        OptionalLong memoryBytes = (said & MEMORY) == 0 ? OptionalLong.empty() : OptionalLong.of(in.readVarLong());
        return new Resources(cpus, memoryBytes, Math.toIntExact(in.readVarLong()));
    }
}
