// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * A process that hosts objects shared by all processes of the program: collections, locks, queues, and objects of your
 * own classes. Its methods return handles. A handle travels as an address, as an argument, a result, a captured value
 * or an element of another managed collection. Every process that receives it calls the same object.
 *
 * <pre>{@code
 * try (Manager manager = fiber.manager()) {
 *     ManagedMap<String, Integer> counts = manager.map();
 *     pool.map(word -> counts.merge(word, 1, Integer::sum), words);
 * }
 * }</pre>
 *
 * <p>Calls on one object run one at a time, and those of one thread run in their order. Calls on different objects run
 * in parallel. A caller that waits for a lock or an item does not occupy a thread of the manager's process. Objects
 * live as long as the manager, that is, until {@link #close()} or the end of the session.
 *
 * <p>Other programs can use the objects too, if the manager {@linkplain #listen() listens} and they {@linkplain
 * #connect connect}:
 *
 * <pre>{@code
 * manager.publish("counts", counts);
 * manager.listen().save(file);                                            // an address and a key, for its owner's eyes
 *
 * try (ConnectedManager manager = Manager.connect(ManagerEndpoint.load(file))) {    // another program
 *     ManagedMap<String, Integer> counts = manager.find("counts", ManagedMap.class);
 * }
 * }</pre>
 *
 * <p>If a call of a list, map, namespace, value, array or shared object is interrupted, it may or may not have taken
 * effect. If the thread is already interrupted, such a call throws without being made. Methods that do not wait, such
 * as {@code unlock}, {@code release}, {@code signal} or {@code offer(item)}, work on interrupted threads, so you can
 * use them in {@code finally}.
 *
 * <p>Thread-safe. Every method of a handle waits for the manager's process and may throw these exceptions:
 *
 * <ul>
 *   <li>{@link FiberException} FBR-400 if that process is gone, FBR-422 if the handle belongs to another program
 *   <li>{@link RemoteTaskException} if your code throws in that process
 *   <li>{@link SerializationException} if an argument or result cannot be sent
 *   <li>{@link WaitInterruptedException} if the thread is interrupted while it waits
 * </ul>
 */
public interface Manager extends ManagedObjects, AutoCloseable {

    /**
     * Admits other programs that hold the key, at a free port and with a key that is created for it. The address is the
     * one at which this session's jobs reach this process: the loopback address if they run on this host.
     *
     * <p>A program that holds the key can do in this program's processes whatever their user can. It is meant for
     * programs of the same user.
     *
     * @return what those programs need to connect; keep it where only they can read it
     * @throws FiberException FBR-444 if listening there is impossible, FBR-446 if this session sends classes
     */
    ManagerEndpoint listen();

    /**
     * Admits other programs that hold the key, at an address of this host. They connect to a TCP port, whatever the
     * session's transport is, and authenticate there.
     *
     * @param endpoint address and key; port 0 means a free port
     * @return the endpoint with the port in use
     * @throws FiberException FBR-444 if listening there is impossible, FBR-446 if this session sends classes
     */
    ManagerEndpoint listen(ManagerEndpoint endpoint);

    /** Returns the process that hosts the objects. */
    FiberProcess process();

    /**
     * Ends the manager's process and the connections of other programs. Pending calls fail; it does not wait for them.
     * Blocks for a bounded time. If the thread is interrupted, it stays interrupted and the process is killed at once.
     * Idempotent.
     */
    @Override
    void close();

    /**
     * Connects this program, which needs no session, to a manager of another program. Waits up to 20 s.
     *
     * @throws FiberException as {@link #connect(ManagerEndpoint, Duration)} throws it
     */
    static ConnectedManager connect(ManagerEndpoint endpoint) {
        return connect(endpoint, Duration.ofSeconds(20));
    }

    /**
     * Connects this program, which needs no session, to a manager of another program.
     *
     * @param limit how long connecting may take
     * @throws FiberException FBR-438 if no manager answers there in time, FBR-439 if the other side holds another key,
     *     FBR-440 if it is of another version, FBR-446 if the manager admits no programs, FBR-449 if this program lacks
     *     the serializer of the other one, or a transport for connecting
     * @throws WaitInterruptedException if the thread is interrupted while it waits
     */
    static ConnectedManager connect(ManagerEndpoint endpoint, Duration limit) {
        return Engines.only().connect(requireNonNull(endpoint, "endpoint"), requireNonNull(limit, "limit"));
    }
}
