// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import static java.util.Objects.requireNonNull;

import io.fiber.runtime.eventloop.Duty;
import io.fiber.runtime.eventloop.Peer;
import io.fiber.runtime.logging.Logs;
import io.fiber.runtime.protocol.ExitCode;
import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.protocol.Messages.Running;
import io.fiber.runtime.protocol.Outgoing;
import io.fiber.runtime.protocol.WorkerRole;
import io.fiber.runtime.protocol.codec.AssignDecoder;
import io.fiber.runtime.protocol.codec.CancelDecoder;
import io.fiber.runtime.protocol.codec.DefineDecoder;
import io.fiber.runtime.protocol.codec.DrainDecoder;
import io.fiber.runtime.protocol.codec.ForgetDecoder;
import io.fiber.runtime.protocol.codec.GoodbyeDecoder;
import io.fiber.runtime.protocol.codec.GrantedDecoder;
import io.fiber.runtime.protocol.codec.HeartbeatDecoder;
import io.fiber.runtime.protocol.codec.RecallDecoder;
import io.fiber.runtime.protocol.codec.RpcMessageDecoder;
import io.fiber.runtime.security.Admission;
import io.fiber.runtime.security.HandshakeFailure;
import io.fiber.runtime.security.WorkerHandshake;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The worker's side of the connection to its master. Belongs to the conductor.
 *
 * <pre>
 * CONNECTING ─welcome─► IDLE ⇄ BUSY ─drain─► DRAINING ─nothing left─► EXITED
 * </pre>
 */
public final class WorkerAgent implements Peer.Listener, WorkerHandshake.Owner, Duty {

    private static final System.Logger LOG = Logs.of(WorkerAgent.class);

    private final WorkerHandshake handshake;
    private final BiFunction<Admission, WorkerRole, TaskExecutor> startTasks;
    private final WorkerShutdown shutdown;
    private final long graceNs;

    private final AssignDecoder assign = new AssignDecoder();
    private final Int2ObjectHashMap<SentFunction> functions = new Int2ObjectHashMap<>();
    private final Long2ObjectHashMap<Work.Chunk> chunks = new Long2ObjectHashMap<>();
    private @Nullable Peer peer;
    private @Nullable TaskExecutor tasks;
    private @Nullable WorkerRole role;
    private @Nullable Consumer<Message> calls;
    private volatile @Nullable String damage;
    private @Nullable CompletableFuture<@Nullable Void> halting;
    private boolean draining;
    private boolean closing;

    /**
     * Creates the agent of a worker.
     *
     * @param grace how long an interrupted item may continue
     */
    public WorkerAgent(
            WorkerHandshake handshake,
            BiFunction<Admission, WorkerRole, TaskExecutor> startTasks,
            IntConsumer exit,
            Duration grace) {
        this.handshake = handshake;
        this.startTasks = startTasks;
        this.shutdown = new WorkerShutdown(exit);
        this.graceNs = grace.toNanos();
    }

    /** Sends the hello on the dialled link. */
    public void greet(Peer master) {
        peer = master;
        handshake.begin(this);
    }

    /** Sets the receiver of calls of objects and of their replies. A message is valid only during the call. */
    public void giveCallsTo(Consumer<Message> router) {
        calls = router;
    }

    /** Sets the action that ends everything this process has started, as described at {@link WorkerShutdown#after}. */
    public void shutDownAfter(Consumer<Runnable> teardown) {
        shutdown.after(teardown);
    }

    @Override
    public void post(Outgoing message) {
        if (peer != null) {
            peer.post(message);
        }
    }

    /** Sends a message to the master. Returns false if the link is full; the message should then be offered again. */
    public boolean offer(Outgoing message) {
        return peer != null && peer.offer(message);
    }

    /** Tells the master that this worker takes chunks. */
    void tellReady() {
        post(Messages.ready(ProcessHandle.current().pid()));
    }

    /** Forgets a chunk that has ended. */
    void release(long chunk) {
        chunks.remove(chunk);
    }

    /** Ends this worker in an orderly way. */
    void leave(ExitCode why) {
        shutdown.begin(requireNonNull(peer, "peer"), why);
    }

    /**
     * Closes the link because the master sent damaged data. It is closed in the next cycle, before any later report is
     * sent. Thread-safe.
     */
    public void cutOff(String what) {
        damage = what;
    }

    /** Tells the master that this JVM is halted; {@code left} is completed when the message has been sent. */
    public void tellHalting(CompletableFuture<@Nullable Void> left) {
        post(Messages.halting());
        halting = left;
    }

    @Override
    public void onMessage(Peer from, Message message) {
        if (tasks == null) {
            if (!handshake.onMessage(message, this)) {
                from.close("It sent message " + message.templateId() + " before it had authenticated itself.");
            }
            return;
        }
        switch (message.templateId()) {
            case AssignDecoder.TEMPLATE_ID -> onAssign(from, message);
            case DefineDecoder.TEMPLATE_ID -> onDefine(message);
            case HeartbeatDecoder.TEMPLATE_ID -> {}
            case GrantedDecoder.TEMPLATE_ID -> onGranted(message);
            case CancelDecoder.TEMPLATE_ID -> onCancel(message);
            case RecallDecoder.TEMPLATE_ID -> onRecall(from, message);
            case ForgetDecoder.TEMPLATE_ID ->
                functions.remove(message.as(new ForgetDecoder()).function());
            case DrainDecoder.TEMPLATE_ID -> draining = true;
            case GoodbyeDecoder.TEMPLATE_ID -> shutdown.heard();
            default -> {
                if (!handshake.onMessage(message, this)
                        && calls != null
                        && message.templateId() == RpcMessageDecoder.TEMPLATE_ID) {
                    calls.accept(message);
                }
            }
        }
    }

    @Override
    public void onGone(Peer gone, String reason) {
        if (!shutdown.onMasterGone() && !closing) {
            LOG.log(System.Logger.Level.WARNING, "the master is gone: " + reason);
            shutdown.atOnce(ExitCode.MASTER_LOST);
        }
    }

    /** Notes that this process closes its links itself. */
    @Override
    public void onClose() {
        closing = true;
    }

    @Override
    public void onFailed(HandshakeFailure failure) {
        boolean isOtherVersion = failure.reason() == HandshakeFailure.Reason.VERSION
                && failure.peerVersion().isPresent();
        String what = isOtherVersion
                ? OtherBuild.byProtocol(
                        failure.ownVersion(), failure.peerVersion().getAsInt())
                : "the handshake with the master failed: " + failure;
        LOG.log(System.Logger.Level.ERROR, what);
        shutdown.atOnce(isOtherVersion ? ExitCode.OTHER_BUILD : ExitCode.REFUSED);
    }

    @Override
    public void onAdmitted(Admission admission) {
        Peer master = requireNonNull(peer, "peer");
        master.onProven(admission.keys());
        try {
            role = WorkerRole.decode(admission.settings());
        } catch (IOException | IllegalArgumentException e) {
            master.close("The welcome cannot be read: " + e.getMessage());
            return;
        }
        tasks = startTasks.apply(admission, role);
        if (role.kind() != WorkerRole.Kind.POOL_WITH_INITIALIZER) {
            tellReady();
        }
    }

    private void onDefine(Message message) {
        int id = message.as(new DefineDecoder()).function();
        SentFunction function = new SentFunction(message.payload());
        if (id == WorkerRole.START_FUNCTION) {
            boolean isProcess = role != null && role.kind() == WorkerRole.Kind.PROCESS;
            hand(isProcess ? new Work.Program(function) : new Work.Initializer(function));
        } else {
            functions.put(id, function);
        }
    }

    private void onAssign(Peer from, Message message) {
        message.as(assign);
        SentFunction function = functions.get(assign.function());
        if (function == null) {
            from.close("It assigned a chunk of function " + assign.function() + ", which it never defined.");
            return;
        }
        Work.Chunk chunk = new Work.Chunk(function, message.payload(), assign);
        chunks.put(chunk.id, chunk);
        hand(chunk);
    }

    private void hand(Work work) {
        if (tasks == null || !tasks.offer(work)) {
            LOG.log(System.Logger.Level.ERROR, "the master sent more work than agreed.");
            shutdown.atOnce(ExitCode.INTERNAL);
        }
    }

    private void onGranted(Message message) {
        GrantedDecoder granted = message.as(new GrantedDecoder());
        Work.Chunk chunk = chunks.get(granted.chunk());
        if (chunk != null && tasks != null) {
            tasks.granted(chunk, granted.item());
        }
    }

    private void onCancel(Message message) {
        CancelDecoder cancel = message.as(new CancelDecoder());
        Work.Chunk chunk = chunks.get(cancel.chunk());
        if (chunk != null && tasks != null) {
            tasks.cancel(chunk, cancel.interrupt() != 0 ? Running.INTERRUPTED : Running.LEFT);
        }
    }

    /** Handles a recall. A chunk that has ended needs no answer, because its results are on their way. */
    private void onRecall(Peer from, Message message) {
        Work.Chunk chunk = chunks.get(message.as(new RecallDecoder()).chunk());
        if (chunk != null) {
            int kept = chunk.recall();
            if (kept == 0) {
                chunks.remove(chunk.id);
            }
            from.post(Messages.shortened(chunk.id, chunk.attempt, kept));
        }
    }

    @Override
    public int doWork(long nowNs) {
        TaskExecutor executor = tasks;
        Peer master = peer;
        if (executor == null || master == null) {
            return 0;
        }
        int work = 0;
        Report report = executor.peek();
        for (; report != null && !isCutOff(master) && report.deliver(this); report = executor.peek()) {
            executor.taken();
            // Results leave in this cycle, so no other one needs to follow.
            work += report instanceof Report.Results ? 0 : 1;
        }
        if (report == null) {
            tellStuck(executor, master, nowNs);
        }
        if (draining && !shutdown.hasBegun() && chunks.isEmpty() && executor.peek() == null) {
            shutdown.begin(master, ExitCode.DONE);
        }
        if (isCutOff(master)) {
            return 1;
        }
        if (halting != null && master.isFlushed()) {
            halting.complete(null);
        }
        shutdown.goOn(master, nowNs);
        return work;
    }

    /** Reports a stuck item after all earlier results, so that the master knows which item it is. */
    private void tellStuck(TaskExecutor executor, Peer master, long nowNs) {
        Work.Chunk stuck = executor.stuck(nowNs, graceNs);
        if (stuck != null) {
            master.post(Messages.stuck(stuck.id, stuck.attempt));
        }
    }

    @Override
    public boolean isTimed() {
        return tasks == null
                || !chunks.isEmpty()
                || tasks.peek() != null
                || draining
                || damage != null
                || halting != null
                || shutdown.hasBegun();
    }

    private boolean isCutOff(Peer master) {
        String what = damage;
        if (what != null) {
            master.close(what);
        }
        return what != null;
    }
}
