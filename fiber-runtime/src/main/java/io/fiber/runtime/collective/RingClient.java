// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.collective;

import static java.util.Objects.requireNonNull;

import io.fiber.Pipe;
import io.fiber.Ring;
import io.fiber.RingMember;
import io.fiber.function.RemoteConsumer;
import io.fiber.function.RemoteFunction;
import io.fiber.function.RemoteRunnable;
import io.fiber.runtime.pipe.Pipes;
import io.fiber.runtime.process.ProcessClient;
import io.fiber.runtime.process.ProcessSettings;
import io.fiber.runtime.process.SessionContext;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.serialization.functions.FunctionResources;
import io.fiber.spi.backend.JobSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The program's handle of a ring. Thread-safe.
 *
 * @param size number of members; at least 1
 * @param wanted the spec of each member's job; the function provides what it leaves out
 * @param initializer what each member runs first
 * @param processes creates a process of the session, without starting it
 */
public record RingClient(
        String name,
        int size,
        JobSpec wanted,
        Optional<RemoteRunnable> initializer,
        BiFunction<RemoteRunnable, ProcessSettings, ProcessClient> processes,
        SessionContext context)
        implements Ring {

    @Override
    public void run(RemoteConsumer<? super RingMember> program) {
        requireNonNull(program, "program");
        RemoteFunction<RingMember, Boolean> function = member -> {
            program.accept(member);
            return true;
        };
        start(function, program);
    }

    @Override
    @SuppressWarnings("unchecked") // what arrives is what the function returned
    public <R extends @Nullable Object> List<R> call(RemoteFunction<? super RingMember, R> function) {
        requireNonNull(function, "function");
        return (List<R>) start(function, function);
    }

    /** Starts the members; {@code written} is what the program passed, which says what it needs. */
    private List<@Nullable Object> start(
            RemoteFunction<? super RingMember, ? extends @Nullable Object> function, Object written) {
        JobSpec job = wanted;
        if (job.resources().isUnspecified()) {
            job = job.toBuilder()
                    .resources(FunctionResources.of(written).decided())
                    .build();
        }
        Pipes maker = context.process().part(Pipes.class);
        List<Pipe<Object, Object>> own = pipes(maker);
        List<Pipe<Object, Object>> all = pipes(maker);
        RingRegistrar registrar = new RingRegistrar(context, size);
        ObjectAddress address = context.process().router().host(registrar);
        try {
            List<ProcessClient> members = new ArrayList<>();
            for (int rank = 0; rank < size; rank++) {
                Exchange.Position position = new Exchange.Position(name, rank, size);
                MemberProgram program = new MemberProgram(
                        context.process(),
                        address,
                        position,
                        own.get(rank).first(),
                        own.get(position.previous()).second(),
                        all.get(rank).first(),
                        all.get(position.previous()).second(),
                        initializer.orElse(() -> {}),
                        function);
                members.add(member(program, job));
            }
            return new RingRun(name, members, registrar, context).run();
        } finally {
            context.process().router().withdraw(address);
            Stream.concat(own.stream(), all.stream()).forEach(maker::withdraw);
        }
    }

    private List<Pipe<Object, Object>> pipes(Pipes maker) {
        return Stream.<Pipe<Object, Object>>generate(maker::pipe).limit(size).toList();
    }

    private ProcessClient member(MemberProgram program, JobSpec job) {
        return processes.apply(
                program,
                new ProcessSettings(
                        Optional.of(name + "-rank-" + program.position().rank()),
                        job,
                        ProcessSettings.AtClose.TERMINATED));
    }

    @Override
    public String toString() {
        return "Ring[" + name + ", " + size + " members]";
    }
}
