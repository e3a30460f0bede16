// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.spi.Environment;
import io.fiber.spi.OptionKey;
import io.fiber.spi.OptionType;
import io.fiber.spi.Probe;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Capability;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Provides the backend {@code local}, whose jobs are child processes of this JVM. It works everywhere and needs no
 * options.
 *
 * <p>Processors are honoured as far as a laptop allows. A job that needs more than this host has is rejected. The JVM
 * of a Java program assumes as many processors as were requested ({@code -XX:ActiveProcessorCount}), which limits its
 * thread pools and its garbage collector. Threads that the program itself starts are not limited.
 *
 * <p>A job with GPUs finds the names of its own in {@code CUDA_VISIBLE_DEVICES}, or {@code ROCR_VISIBLE_DEVICES}. Until it
 * has ended, no other job of this user on this host has them. If too few are free, a job waits.
 */
public final class LocalBackendProvider implements BackendProvider {

    static final String NAME = "local";

    static final Set<Capability> CAPABILITIES = Set.copyOf(EnumSet.of(
            Capability.LOGS,
            Capability.CONSOLE,
            Capability.CPU_LIMIT,
            Capability.MEMORY_LIMIT,
            Capability.GPU,
            Capability.TIME_LIMIT,
            Capability.WORKING_DIRECTORY,
            Capability.SHARED_FILES));

    static final OptionKey INPUT = OptionKey.of(
            "input",
            OptionType.SWITCH,
            "false",
            "whether a job that is sent nothing reads this process's standard input");

    static final OptionKey GPUS = OptionKey.of(
            "gpus",
            OptionType.LIST,
            "CUDA_VISIBLE_DEVICES, ROCR_VISIBLE_DEVICES, all that the driver shows",
            "numbers or UUIDs of the GPUs that jobs may use");

    /** Creates the provider; does nothing else. */
    public LocalBackendProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Probe probe(Environment environment) {
        Gpus gpus = Gpus.quickly(environment, GpuDrivers.ofThisHost());
        return new Probe.Usable(
                "this JVM can start child processes" + (gpus.names().isEmpty() ? "" : "; " + gpus.described()));
    }

    @Override
    public Backend create(BackendContext context) {
        return new LocalBackend(context);
    }

    @Override
    public List<OptionKey> options() {
        return List.of(INPUT, GPUS);
    }

    @Override
    public Set<Capability> capabilities() {
        return CAPABILITIES;
    }
}
