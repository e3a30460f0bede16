// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.rpc;

import io.fiber.FiberException;
import io.fiber.WaitInterruptedException;
import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.eventloop.Duty;
import io.fiber.runtime.eventloop.Waiter;
import io.fiber.runtime.logging.Faults;
import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.Outgoing;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.ProcessAddress;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.protocol.codec.RpcKind;
import io.fiber.runtime.security.SealException;
import io.fiber.runtime.security.Seals;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Routes the calls of one process. Other processes call the objects that it hosts, and its threads call objects of
 * other processes. A message between two other processes is passed on unread. The order of messages between any two
 * processes is kept.
 *
 * <p>Thread-safe, except for methods that the conductor calls. All payloads that are passed in and out are sealed with
 * the {@linkplain #seals seals} of this process; the router at the border of another session seals them again.
 */
public final class RpcRouter implements Duty {

    /** Numbers below it are reserved; {@link UsageService} has one of them. */
    private static final long FIRST_OBJECT = 1_000;

    /** Limits the text about a process's end. */
    private static final int END_LIMIT_CHARS = 1_000;

    private static final long END_LIMIT_BYTES = 4_096;
    private static final String CLOSED = "This session is closed, or its process is ending.";

    private final ProcessAddress processAddress;
    private final Conductor conductor;
    private final Seals seals;
    private final AtomicLong objects = new AtomicLong(FIRST_OBJECT);
    private final AtomicLong numbers = new AtomicLong();
    private final Long2ObjectHashMap<OpenCall> calls = new Long2ObjectHashMap<>();
    /** Answers leave alone: what waits for the next message could reach the object that is just about to answer. */
    private final LocalDispatcher dispatcher = new LocalDispatcher(this::routeNow);

    private final ChildRoutes children;
    private final OutboundQueue local;
    private final Executor blocking;
    private final List<Runnable> whenFlushed = new ArrayList<>();
    /** Messages that wait for the next one of this process, or the next cycle. Thread-safe. */
    private final Queue<RpcMessage> withNext = new ConcurrentLinkedQueue<>();

    private @Nullable OutboundQueue up;
    private volatile Reply.Reason closed = new Reply.Reason("FBR-302", CLOSED);

    /**
     * Creates the router of a process.
     *
     * @param seals the seals that the process shares with its master, or in the root with its workers
     * @param blocking threads that seal again what comes from other sessions
     */
    public RpcRouter(ProcessAddress processAddress, Conductor conductor, Seals seals, Executor blocking) {
        this.processAddress = processAddress;
        this.conductor = conductor;
        this.seals = seals;
        this.children = new ChildRoutes(processAddress.path());
        this.blocking = blocking;
        this.local = new OutboundQueue(seals, this::deliver, this);
        dispatcher.add(UsageService.OBJECT, new UsageService(seals));
    }

    public ProcessAddress processAddress() {
        return processAddress;
    }

    public ProcessPath path() {
        return processAddress.path();
    }

    /** Returns the seals of the payloads that are passed in and out. */
    public Seals seals() {
        return seals;
    }

    /** Returns the conductor that calls hosted objects and listeners. */
    public Conductor conductor() {
        return conductor;
    }

    Executor blocking() {
        return blocking;
    }

    /** Makes an object reachable for other processes, under a number of its own. */
    public ObjectAddress host(Hosted hosted) {
        return host(objects.getAndIncrement(), hosted);
    }

    /** Makes an object reachable under the number that {@link #reserve} has returned. */
    public ObjectAddress host(long number, Hosted hosted) {
        conductor.execute(() -> dispatcher.add(number, hosted));
        return address(number);
    }

    /** Returns the address of an object that will be hosted. */
    public ObjectAddress reserve() {
        return address(objects.getAndIncrement());
    }

    /** Returns the address of an object in the process that started this one; the root has none. */
    public ObjectAddress atMaster(long number) {
        ProcessPath master = path().ancestor(path().depth() - 1);
        return new ObjectAddress(processAddress.program(), master, number);
    }

    private ObjectAddress address(long number) {
        return new ObjectAddress(processAddress.program(), processAddress.path(), number);
    }

    /** Makes an object unreachable; its unanswered calls and later ones fail with FBR-421. */
    public void withdraw(ObjectAddress address) {
        conductor.execute(() -> dispatcher.remove(address.object()));
    }

    /**
     * Calls an object.
     *
     * @param listener receives the reply, once, in the conductor: it must not block, run user code or deserialize
     * @return tells the host, from any thread, that the caller has given up. The call still ends in one reply: {@link
     *     Reply.Abandoned}, or the answer that was in transit
     * @throws FiberException FBR-422 if the address belongs to another program
     */
    public Runnable call(ObjectAddress to, Request request, Consumer<Reply> listener) {
        requireOurs(to);
        long number = numbers.incrementAndGet();
        if (!conductor.execute(() -> open(number, to, request, listener))) {
            listener.accept(new Reply.Lost(closed));
        }
        return () -> conductor.execute(() -> abandonNow(number));
    }

    /**
     * Calls an object and waits for its reply, which the calling thread may read itself.
     *
     * @param what what the thread waits for, for the text of an exception
     * @throws WaitInterruptedException if the thread is interrupted while it waits. The call has then been abandoned,
     *     before the object answered it
     * @throws FiberException FBR-422 if the address belongs to another program
     */
    public Reply await(ObjectAddress to, Request request, String what) {
        return await(to, request, Long.MAX_VALUE, what);
    }

    /**
     * Does what {@link #await(ObjectAddress, Request, String)} does, with a time limit. If the time passes, the call is
     * abandoned; the reply is {@link Reply.Abandoned}, or the answer that was in transit.
     */
    public Reply await(ObjectAddress to, Request request, Duration limit, String what) {
        return await(to, request, Math.max(0, TimeUnit.NANOSECONDS.convert(limit)), what);
    }

    /**
     * Does what {@link #await(ObjectAddress, Request, String)} does, but keeps waiting if the thread is interrupted. It
     * is for requests of the JVM, for example for a class, which would otherwise be missing forever.
     */
    public Reply awaitUninterruptibly(ObjectAddress to, Request request) {
        return await(to, request, Long.MAX_VALUE, null);
    }

    /** Keeps waiting if the thread is interrupted and there is no text for an exception. */
    private Reply await(ObjectAddress to, Request request, long limitNs, @Nullable String what) {
        requireOurs(to);
        boolean interrupted = Thread.interrupted();
        if (interrupted && what != null) {
            throw interrupted(what);
        }
        AwaitedReply awaited = new AwaitedReply();
        long number = numbers.incrementAndGet();
        Runnable command = () -> open(number, to, request, awaited);
        long leftNs = limitNs;
        boolean waiting = true;
        while (waiting) {
            try {
                waiting = !conductor.await(command, awaited.waiter, leftNs);
            } catch (InterruptedException e) {
                interrupted = true;
            }
            if (waiting) {
                command = what == null ? () -> {} : () -> abandonNow(number);
                leftNs = Long.MAX_VALUE;
            }
        }
        Reply reply = awaited.reply;
        if (interrupted) {
            if (what != null && reply instanceof Reply.Abandoned) {
                throw interrupted(what);
            }
            Thread.currentThread().interrupt();
        }
        return reply == null ? new Reply.Lost(closed) : reply;
    }

    private static WaitInterruptedException interrupted(String what) {
        Thread.currentThread().interrupt();
        return new WaitInterruptedException(what, new InterruptedException());
    }

    /** Sends a message to an object, without an answer. What one thread tells and calls arrives in that order. */
    public void tell(ObjectAddress to, Request request) {
        conductor.execute(telling(to, request));
    }

    /** Sends a message to an object that may wait for the calling thread's next call, which is about to come. */
    public void tellWithNext(ObjectAddress to, Request request) {
        requireOurs(to);
        withNext.add(new RpcMessage(RpcKind.TELL, path(), to.host(), 0, to.object(), request));
    }

    /** Sends what waits for the next message. What this process sends afterwards arrives later. */
    public void sendWaiting() {
        conductor.execute(this::routeWaiting);
    }

    private Runnable telling(ObjectAddress to, Request request) {
        requireOurs(to);
        return () -> route(new RpcMessage(RpcKind.TELL, path(), to.host(), 0, to.object(), request));
    }

    /** Returns whether an object belongs to the program of this process. */
    public boolean isOurs(ObjectAddress object) {
        return object.program().equals(processAddress.program());
    }

    /** Throws FBR-422 if an object belongs to another program. */
    public void requireOurs(ObjectAddress to) {
        if (!isOurs(to)) {
            throw new FiberException(
                    "FBR-422",
                    "The object " + to + " belongs to the program of session " + to.program()
                            + ", but this process belongs to that of session " + processAddress.program()
                            + ". A handle works only in the program that created it.");
        }
    }

    private void open(long number, ObjectAddress to, Request request, Consumer<Reply> listener) {
        calls.put(number, new OpenCall(number, to, listener));
        try {
            route(new RpcMessage(RpcKind.CALL, path(), to.host(), number, to.object(), request));
        } catch (VirtualMachineError e) {
            throw e;
        } catch (Throwable thrown) {
            end(
                    number,
                    new Reply.Lost(new Reply.Reason(
                            "FBR-423",
                            "The call of object " + to.object() + " could not be sent because of an internal error of"
                                    + " Fiber: " + thrown
                                    + ".",
                            Optional.of(thrown))));
            throw thrown;
        }
    }

    private void abandonNow(long number) {
        OpenCall call = calls.get(number);
        if (call != null) {
            ObjectAddress to = call.to();
            route(new RpcMessage(RpcKind.ABANDON, path(), to.host(), number, to.object(), Request.of(0, 0)));
        }
    }

    /** Ends a call, unless it has ended. */
    private void end(long number, Reply reply) {
        OpenCall call = calls.remove(number);
        if (call != null) {
            call.listener().accept(reply);
        }
    }

    /** Ends the calls that match, each for a reason of its own. */
    private void lose(Predicate<OpenCall> which, Function<OpenCall, Reply.Reason> why) {
        Queue<OpenCall> lost = new ArrayDeque<>(calls.values());
        lost.removeIf(which.negate());
        Faults.tellEach(lost.iterator(), call -> {
            call.listener().accept(new Reply.Lost(why.apply(call)));
            calls.remove(call.number());
        });
    }

    /**
     * Sends messages for processes other than this one and its workers through this exit from now on. The conductor
     * calls it.
     */
    public void connectMaster(Predicate<Outgoing> exit) {
        up = new OutboundQueue(seals, exit, this);
    }

    /** Adds a worker that was admitted, with the seals that workers share. The conductor calls it. */
    public void connect(ProcessPath child, Predicate<Outgoing> exit, Seals sealsThere) {
        children.add(child, new OutboundQueue(sealsThere, exit, this));
    }

    /**
     * Removes a worker that has ended, and notifies the processes that exchanged messages with it. The conductor calls
     * it.
     */
    public void disconnect(ProcessPath child, String how) {
        SealedPayload text = endText(how);
        for (ProcessPath path : children.remove(child, how)) {
            send(RpcMessage.gone(path, child, text), seals);
        }
    }

    private SealedPayload endText(String how) {
        return seals.close(
                Payload.ofText(how.length() > END_LIMIT_CHARS ? how.substring(0, END_LIMIT_CHARS) + " ..." : how));
    }

    /** Receives a message from the master, which is valid only during the call. The conductor calls it. */
    public void onMessageOfMaster(Message message) {
        read(message, seals, ProcessPath.root());
    }

    /**
     * Receives a message from a worker, which is valid only during the call. The conductor calls it.
     *
     * @throws IllegalArgumentException if the worker claims to be a process other than itself and those below it
     */
    public void onMessageOf(ProcessPath child, Message message) {
        OutboundQueue queue = children.queue(child);
        if (queue != null) {
            read(message, queue.seals(), child);
        }
    }

    private void read(Message message, Seals sealedWith, ProcessPath top) {
        RpcMessage read = RpcMessage.read(message);
        if (!read.from().isUnder(top)) {
            throw new IllegalArgumentException("The process " + top + " speaks for the process " + read.from() + ".");
        }
        if (read.kind() == RpcKind.GONE) {
            children.forget(read.from());
        } else {
            children.onExchange(read.from(), read.to());
        }
        send(read, sealedWith);
    }

    private void route(RpcMessage message) {
        routeWaiting();
        routeNow(message);
    }

    private int routeWaiting() {
        int count = 0;
        for (RpcMessage first = withNext.poll(); first != null; first = withNext.poll()) {
            routeNow(first);
            count++;
        }
        return count;
    }

    private void routeNow(RpcMessage message) {
        children.onExchange(message.from(), message.to());
        send(message, seals);
    }

    /** Sends a message. If its body was not kept, it is not passed on, because it would be read with an empty body. */
    private void send(RpcMessage message, Seals sealedWith) {
        if (message.isTooLarge()) {
            pass(message.fault(message.payload().bytes().refusedBytes()), seals);
        } else {
            pass(message, sealedWith);
        }
    }

    private void pass(RpcMessage message, Seals sealedWith) {
        ProcessPath to = message.to();
        if (to.equals(path())) {
            local.send(message, sealedWith);
        } else if (to.isUnder(path())) {
            ProcessPath child = children.childOf(to);
            OutboundQueue queue = children.queue(child);
            if (queue != null) {
                queue.send(message, sealedWith);
            } else if (message.kind() == RpcKind.CALL) {
                SealedPayload text = endText(children.end(child));
                send(RpcMessage.gone(message.from(), child, text), seals);
            }
        } else if (up != null) {
            up.send(message, sealedWith);
        }
    }

    private boolean deliver(RpcMessage message) {
        Request told = message.request();
        switch (message.kind()) {
            case CALL -> dispatcher.onCall(message);
            case TELL -> dispatcher.onTell(message);
            case ABANDON -> dispatcher.onAbandon(message);
            case ANSWER -> end(message.call(), new Reply.Answer(told.argument(), told.body()));
            case FAILURE -> end(message.call(), new Reply.Failure(told.body()));
            case ABANDONED -> end(message.call(), new Reply.Abandoned());
            case WITHDRAWN -> end(message.call(), new Reply.Lost(Reply.Reason.withdrawn(message)));
            case FAULT -> end(message.call(), new Reply.Lost(Reply.Reason.fault(message)));
            case GONE -> onGone(message.from(), text(told.body()));
            default -> {}
        }
        return true;
    }

    /** Returns the text; empty if it cannot be read, because the end of a process matters even without it. */
    private String text(SealedPayload how) {
        if (how.length() > END_LIMIT_BYTES) {
            return "it ended";
        }
        try {
            return seals.open(how).open().readText();
        } catch (SealException | IOException | RuntimeException e) {
            return "it ended";
        }
    }

    /**
     * Ends the call of a waiting caller, and reports an end without its text; other messages have no caller and are
     * dropped.
     */
    void onBrokenSeal(RpcMessage message) {
        switch (message.kind()) {
            case CALL, ANSWER, FAILURE -> send(message.fault(0), seals);
            case GONE -> send(message.with(SealedPayload.none()), seals);
            default -> {}
        }
    }

    private void onGone(ProcessPath who, String how) {
        lose(call -> call.to().host().isUnder(who), call -> Reply.Reason.gone(call.to(), who, how));
        dispatcher.onGone(who);
    }

    @Override
    public int doWork(long nowNs) {
        int sent = routeWaiting() + local.flush() + (up == null ? 0 : up.flush()) + children.flush();
        if (!whenFlushed.isEmpty() && isFlushed()) {
            List<Runnable> actions = List.copyOf(whenFlushed);
            whenFlushed.clear();
            actions.forEach(Runnable::run);
        }
        return sent;
    }

    @Override
    public boolean isTimed() {
        return !isFlushed() || !whenFlushed.isEmpty();
    }

    /** Sets why calls fail once this router reaches no other process any more. */
    public void closeFor(Reply.Reason reason) {
        closed = reason;
    }

    /** Runs an action once everything that was sent has left this process. The conductor calls it. */
    public void whenFlushed(Runnable action) {
        whenFlushed.add(action);
    }

    private boolean isFlushed() {
        return local.isEmpty() && (up == null || up.isEmpty()) && children.areEmpty();
    }

    @Override
    public void onFault(Throwable fault) {
        closed = new Reply.Reason(
                "FBR-404",
                "The I/O thread of this process has stopped, because of " + fault + ". Objects in other processes can"
                        + " no longer be reached from here. Open another session.",
                Optional.of(fault));
        onClose();
    }

    @Override
    public void onClose() {
        dispatcher.close();
        lose(call -> true, call -> closed);
    }

    /** A call of this process that has not ended. */
    private record OpenCall(long number, ObjectAddress to, Consumer<Reply> listener) {}

    /** A reply that a thread waits for. That thread creates it. */
    private static final class AwaitedReply implements Consumer<Reply> {
        private final Waiter waiter = new Waiter();
        private volatile @Nullable Reply reply;

        @Override
        public void accept(Reply newReply) {
            reply = newReply;
            waiter.end();
        }
    }
}
