// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.rpc;

import io.fiber.FiberException;
import io.fiber.WaitInterruptedException;
import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.eventloop.Duty;
import io.fiber.runtime.eventloop.Expected;
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
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Routes the calls of one process: other processes call the objects that it hosts, and its threads call objects of other
 * processes. A message between two other processes is passed on unread. Order is kept between any two processes.
 *
 * <p>Methods are for any thread, except where they say that the conductor calls them. All payloads that are given and
 * taken here are sealed with the {@linkplain #seals seals} of this process; the router at the
 * border of another session seals them anew.
 */
public final class RpcRouter implements Duty {

    /** Numbers below it are given to no object that is hosted; {@link UsageService} has one of them. */
    private static final long FIRST_OBJECT = 1_000;

    /** Of what is told of a process's end. */
    private static final int END_LIMIT_CHARS = 1_000;

    private static final long END_LIMIT_BYTES = 4_096;
    private static final String CLOSED = "This session is closed, or its process ends.";

    private final ProcessAddress processAddress;
    private final Conductor conductor;
    private final Seals seals;
    private final AtomicLong objects = new AtomicLong(FIRST_OBJECT);
    private final AtomicLong numbers = new AtomicLong();
    private final Long2ObjectHashMap<OpenCall> calls = new Long2ObjectHashMap<>();
    private final LocalDispatcher dispatcher = new LocalDispatcher(this::route);
    private final ChildRoutes children;
    private final OutboundQueue local;
    private final Executor blocking;
    private final List<Runnable> whenFlushed = new ArrayList<>();
    private @Nullable OutboundQueue up;
    private volatile Reply.Reason closed = new Reply.Reason("FBR-302", CLOSED);

    /** A call of this process that has not ended. */
    private record OpenCall(long number, ObjectAddress to, Consumer<Reply> listener) {}

    /** A reply that a thread waits for. Made by that thread. */
    private static final class AwaitedReply implements Consumer<Reply> {
        private final Waiter waiter = new Waiter();
        private volatile @Nullable Reply reply;

        @Override
        public void accept(Reply newReply) {
            reply = newReply;
            waiter.end();
        }
    }

    /**
     * Creates the router of a process.
     *
     * @param seals those that the process shares with its master, or in the root with its workers
     * @param blocking threads that seal anew what comes from other sessions
     */
    public RpcRouter(ProcessAddress processAddress, Conductor conductor, Seals seals, Executor blocking) {
        this.processAddress = processAddress;
        this.conductor = conductor;
        this.seals = seals;
        this.children = new ChildRoutes(processAddress.path());
        this.blocking = blocking;
        this.local = new OutboundQueue(seals, this::deliver, this);
    }

    public ProcessAddress processAddress() {
        return processAddress;
    }

    public ProcessPath path() {
        return processAddress.path();
    }

    /** Returns the seals of the bodies that are given and taken here. */
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

    /** Returns the address of an object of the process that started this one; the root has none. */
    public ObjectAddress atMaster(long number) {
        ProcessPath master = path().ancestor(path().depth() - 1);
        return new ObjectAddress(processAddress.program(), master, number);
    }

    private ObjectAddress address(long number) {
        return new ObjectAddress(processAddress.program(), processAddress.path(), number);
    }

    /** Makes an object unreachable; calls that it has not answered and later ones fail with FBR-421. */
    public void withdraw(ObjectAddress address) {
        conductor.execute(() -> dispatcher.remove(address.object()));
    }

    /**
     * Calls an object.
     *
     * @param listener is told how the call ended, once, by the conductor: it must not block, run user code or deserialize
     * @return tells the host, from any thread, that the caller waits no longer. The call ends nonetheless in one reply:
     *     {@link Reply.Abandoned}, or the answer that was on its way
     * @throws FiberException FBR-422 when the address is another program's
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
     * Calls an object and waits for its reply, during which the thread does the conductor's work.
     *
     * @param what what is waited for, for the text of an exception
     * @throws WaitInterruptedException when the thread is interrupted while it waits. The call has been abandoned then,
     *     before the object answered it
     * @throws FiberException FBR-422 when the address is another program's
     */
    public Reply await(ObjectAddress to, Request request, String what) {
        return await(to, request, Long.MAX_VALUE, what);
    }

    /**
     * As {@link #await(ObjectAddress, Request, String)}, but for a while. When time is up the call is abandoned; the reply
     * is {@link Reply.Abandoned}, or the answer that was on its way.
     */
    public Reply await(ObjectAddress to, Request request, Duration limit, String what) {
        return await(to, request, Math.max(0, TimeUnit.NANOSECONDS.convert(limit)), what);
    }

    /**
     * As {@link #await(ObjectAddress, Request, String)}, but goes on waiting when the thread is interrupted: for what the JVM
     * asks for, such as a class, which it would miss for ever.
     */
    public Reply awaitUninterruptibly(ObjectAddress to, Request request) {
        return await(to, request, Long.MAX_VALUE, null);
    }

    /** Waits also when the thread is interrupted, if there is no text for an exception. */
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

    /** Tells an object something; there is no answer. What one thread tells and calls arrives in that order. */
    public void tell(ObjectAddress to, Request request) {
        conductor.execute(telling(to, request));
    }

    /** Tells an object something that may wait for the calling thread's next call, which is about to come. */
    public void tellWithNext(ObjectAddress to, Request request) {
        conductor.executeWithNext(telling(to, request));
    }

    private Runnable telling(ObjectAddress to, Request request) {
        requireOurs(to);
        return () -> route(new RpcMessage(RpcKind.TELL, path(), to.host(), 0, to.object(), request));
    }

    /** Tells whether an object is one of the program of this process. */
    public boolean isOurs(ObjectAddress object) {
        return object.program().equals(processAddress.program());
    }

    /** Throws FBR-422 when an object is another program's. */
    public void requireOurs(ObjectAddress to) {
        if (!isOurs(to)) {
            throw new FiberException(
                    "FBR-422",
                    "The object " + to + " belongs to the program of session " + to.program()
                            + ", this process to that of session " + processAddress.program()
                            + ". A handle is of use in the program that made it only.");
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
                            "The call of object " + to.object() + " could not be sent, by a fault of Fiber: " + thrown
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

    /** Ends the calls that fit; each for a reason of its own. */
    private void lose(Predicate<OpenCall> which, Function<OpenCall, Reply.Reason> why) {
        Queue<OpenCall> lost = new ArrayDeque<>(calls.values());
        lost.removeIf(which.negate());
        Faults.tellEach(lost.iterator(), call -> {
            call.listener().accept(new Reply.Lost(why.apply(call)));
            calls.remove(call.number());
        });
    }

    /** Sends what is for others than this process and its workers this way from now on. Called by the conductor. */
    public void connectMaster(Predicate<Outgoing> exit) {
        up = new OutboundQueue(seals, exit, this);
    }

    /** Takes note of a worker that was let in, with the seals that workers share. Called by the conductor. */
    public void connect(ProcessPath child, Predicate<Outgoing> exit, Seals sealsThere) {
        children.add(child, new OutboundQueue(sealsThere, exit, this));
    }

    /** Takes note that a worker has ended, and tells the processes that exchanged messages with it. Called by the conductor. */
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

    /** Takes a message from the master; it is valid only during the call. Called by the conductor. */
    public void onMessageOfMaster(Message message) {
        read(message, seals, ProcessPath.root());
    }

    /**
     * Takes a message from a worker; it is valid only during the call. Called by the conductor.
     *
     * @throws IllegalArgumentException when the worker speaks for another than itself and those under it
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
        children.onExchange(message.from(), message.to());
        send(message, seals);
    }

    /** A body that was not kept is not passed on: what it belonged to would be read as an empty one. */
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

    /** That a process has ended counts, also without the text. */
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

    /** The caller that waits for it is told, and of an end that it came; what else has no caller is dropped. */
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
        int sent = local.flush() + (up == null ? 0 : up.flush()) + children.flush();
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

    @Override
    public Expected expected() {
        return calls.isEmpty() ? Expected.NOTHING : Expected.ANSWER;
    }

    /** Says why calls fail once this router reaches no other process any more. */
    public void closeFor(Reply.Reason reason) {
        closed = reason;
    }

    /** Has something run once everything that was said has left this process. Called by the conductor. */
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
                "The I/O thread of this process has stopped, because of " + fault + ". What lives in other processes"
                        + " cannot be reached from here any more; open another session.",
                Optional.of(fault));
        onClose();
    }

    @Override
    public void onClose() {
        dispatcher.close();
        lose(call -> true, call -> closed);
    }
}
