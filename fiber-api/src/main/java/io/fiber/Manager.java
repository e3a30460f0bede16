// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * A process that hosts objects which all processes of the program share: collections, locks, queues, and objects of the
 * program's own classes. What it hands out are handles: they travel as addresses, as arguments, results, captured values or
 * elements of other managed collections, and each process that reads one calls the same object.
 *
 * <pre>{@code
 * try (Manager manager = fiber.manager()) {
 *     ManagedMap<String, Integer> counts = manager.map();
 *     pool.map(word -> counts.merge(word, 1, Integer::sum), words);
 * }
 * }</pre>
 *
 * <p>Calls on one object run one at a time, those of one thread in their order; different objects run in parallel. A
 * caller that waits for a lock or an item costs the host no thread. Objects live as long as the manager, which is as
 * long as the session or until {@link #close()}.
 *
 * <p>Programs that are no processes of this one use the objects too, when the manager {@linkplain #listen() listens} and they
 * {@linkplain #connect connect}:
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
 * <p>Every method of a handle waits for the host and may throw: {@link FiberException} FBR-400 when the host is gone,
 * FBR-422 when the handle is of another program; {@link RemoteTaskException} when code of the program throws at the host;
 * {@link SerializationException} when something cannot travel; {@link WaitInterruptedException} when the thread is
 * interrupted while it waits.
 *
 * <p>An interrupted call of a list, map, namespace, value, array or shared object may have had its effect or not; on a
 * thread that is already interrupted it throws without being made. What does not wait, such as {@code unlock},
 * {@code release}, {@code signal} or {@code offer(item)}, works on interrupted threads, so it can stand in a
 * {@code finally}.
 *
 * <p>Thread-safe.
 */
public interface Manager extends ManagedObjects, AutoCloseable {

    /**
     * Lets programs in that hold a key, at a free port and with a key that is made for it. The address is the one at which
     * this session's jobs reach this process: the loopback address when they run on this host.
     *
     * <p>A program that holds the key can do in this program's processes what their user can: it is for programs of the
     * same user.
     *
     * @return what those programs need; keep it where only they can read it
     * @throws FiberException FBR-444 when nothing can listen there, FBR-446 when classes travel in this session
     */
    ManagerEndpoint listen();

    /**
     * Lets programs in that hold a key, at an address of this host: a TCP port, by which they prove themselves and speak to
     * this process, whatever transport the session has.
     *
     * @param endpoint address and key; port 0 stands for a free one
     * @return the same with the port
     * @throws FiberException FBR-444 when nothing can listen there, FBR-446 when classes travel in this session
     */
    ManagerEndpoint listen(ManagerEndpoint endpoint);

    /** Returns the process that hosts the objects. */
    FiberProcess process();

    /**
     * Ends the manager's process, without waiting for calls, which fail, and the connections of other programs.
     * Blocks for a bounded time; on an interrupted thread, which stays interrupted, the process is killed at once.
     * May be called twice.
     */
    @Override
    void close();

    /**
     * Connects this program, which needs no session, to a manager of another one. Waits 20 s at most.
     *
     * @throws FiberException as {@link #connect(ManagerEndpoint, Duration)} throws it
     */
    static ConnectedManager connect(ManagerEndpoint endpoint) {
        return connect(endpoint, Duration.ofSeconds(20));
    }

    /**
     * Connects this program, which needs no session, to a manager of another one.
     *
     * @param limit how long it may take
     * @throws FiberException FBR-438 when no manager answers there in time, FBR-439 when the other side holds another
     *     key, FBR-440 when it is of another version, FBR-446 when the manager admits no programs, FBR-449 when this
     *     program lacks the serializer of the other, or a transport by which programs connect
     * @throws WaitInterruptedException when the thread is interrupted while it waits
     */
    static ConnectedManager connect(ManagerEndpoint endpoint, Duration limit) {
        return Engines.only().connect(requireNonNull(endpoint, "endpoint"), requireNonNull(limit, "limit"));
    }
}
