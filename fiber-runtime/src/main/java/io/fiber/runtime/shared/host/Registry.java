// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.host;

import io.fiber.FiberException;
import io.fiber.function.RemoteCallable;
import io.fiber.runtime.rpc.Hosted;
import io.fiber.runtime.shared.machines.BarrierMachine;
import io.fiber.runtime.shared.machines.EventMachine;
import io.fiber.runtime.shared.machines.LockMachine;
import io.fiber.runtime.shared.machines.SemaphoreMachine;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The object of a manager's process that creates the others and knows their published names. */
final class Registry implements Target {

    private final Host host;
    private final Map<String, Object> named = new TreeMap<>();

    Registry(Host host) {
        this.host = host;
    }

    /**
     * {@inheritDoc} The first argument is the kind of an object to create, whose address is returned, or the name of an
     * object to publish or find.
     */
    @Override
    public @Nullable Object call(ObjectOperation operation, @Nullable Object[] arguments) throws Exception {
        return switch (operation) {
            case CREATE -> host.host(hosted((Kind) given(arguments, 0), arguments));
            case PUT -> named.put((String) given(arguments, 0), given(arguments, 1)) == null;
            case GET -> find((String) given(arguments, 0));
            default -> throw Target.unknown(operation);
        };
    }

    private Object find(String name) {
        Object found = named.get(name);
        if (found == null) {
            throw new FiberException(
                    "FBR-441",
                    "This manager has published no object named '" + name + "'. The published names are "
                            + named.keySet() + ". Publish the object with Manager.publish(name, handle).");
        }
        return found;
    }

    private Hosted hosted(Kind kind, @Nullable Object[] arguments) throws Exception {
        return switch (kind) {
            case LIST -> new ObjectHost(host, new ListTarget(new ArrayList<>((Collection<?>) given(arguments, 1))));
            case MAP, NAMESPACE ->
                new ObjectHost(host, new MapTarget(new LinkedHashMap<>((Map<?, ?>) given(arguments, 1))));
            case VALUE -> new ObjectHost(host, new ValueTarget(arguments[1]));
            case ARRAY -> new ObjectHost(host, new ArrayTarget(given(arguments, 1)));
            case SHARED -> new ObjectHost(host, new OwnTarget(own(given(arguments, 2)), (Class<?>) arguments[1]));
            case ASYNC -> new ObjectHost(host, new OwnTarget(own(given(arguments, 1)), null));
            default -> machine(kind, arguments);
        };
    }

    private static Hosted machine(Kind kind, @Nullable Object[] arguments) {
        return switch (kind) {
            case QUEUE, JOINABLE_QUEUE -> Kind.queue(number(arguments, 1));
            case LOCK -> LockMachine.plain();
            case REENTRANT_LOCK -> LockMachine.reentrant();
            case SEMAPHORE -> new SemaphoreMachine(number(arguments, 1), number(arguments, 2));
            case EVENT -> new EventMachine();
            case BARRIER -> BarrierMachine.plain((int) number(arguments, 1));
            case BARRIER_WITH_ACTION -> BarrierMachine.withAction((int) number(arguments, 1));
            default -> throw new IllegalArgumentException(kind + " is created by another object.");
        };
    }

    /** Returns the object of the program: what a factory returns, or the argument itself. */
    private static Object own(Object given) throws Exception {
        Object object = given instanceof RemoteCallable<?> factory ? factory.call() : given;
        return Objects.requireNonNull(object, "the object that the factory returned");
    }

    private static Object given(@Nullable Object[] arguments, int index) {
        return Objects.requireNonNull(arguments[index], "argument");
    }

    private static long number(@Nullable Object[] arguments, int index) {
        return (long) given(arguments, index);
    }
}
