// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import static java.util.Objects.requireNonNull;

import io.fiber.ProcessState;
import io.fiber.runtime.eventloop.Peer;
import io.fiber.runtime.logging.Logs;
import io.fiber.runtime.platform.ProcessUsage;
import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.protocol.Outgoing;
import io.fiber.runtime.protocol.ProcessAddress;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.protocol.WorkerRole;
import io.fiber.runtime.protocol.codec.GoodbyeDecoder;
import io.fiber.runtime.protocol.codec.HaltingDecoder;
import io.fiber.runtime.protocol.codec.HeartbeatDecoder;
import io.fiber.runtime.protocol.codec.LeavingDecoder;
import io.fiber.runtime.protocol.codec.ReadyDecoder;
import io.fiber.runtime.protocol.codec.RpcMessageDecoder;
import io.fiber.runtime.rpc.UsageService;
import io.fiber.runtime.security.ConnectionKeys;
import io.fiber.runtime.security.HandshakeFailure;
import io.fiber.runtime.security.MasterHandshake;
import io.fiber.runtime.telemetry.Telemetry;
import io.fiber.spec.EndCause;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobTermination;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A worker as its master sees it: its job, its link and its state. Belongs to the conductor. */
public final class RemoteWorker implements Peer.Listener, MasterHandshake.Owner, ProcessMachine.Effects {

    private final WorkerSupervisor supervisor;
    private final WorkerAssignment assignment;
    final ProcessMachine machine;
    private final MasterHandshake handshake;
    private final Telemetry.@Nullable ProcessSpan span;
    private @Nullable Peer peer;
    private volatile @Nullable Job job;
    private @Nullable String waitsFor;
    private Optional<String> host = Optional.empty();
    private Optional<ProcessUsage> usage = Optional.empty();
    private boolean usageAsked;
    private boolean admitted;
    private boolean cancelled;
    private long cancelGraceNs;

    RemoteWorker(
            WorkerSupervisor supervisor,
            WorkerAssignment assignment,
            ProcessMachine.Limits limits,
            MasterHandshake handshake) {
        this.supervisor = supervisor;
        this.assignment = assignment;
        this.machine = new ProcessMachine(limits, this);
        this.handshake = handshake;
        this.span = assignment.role().kind() == WorkerRole.Kind.PROCESS
                ? Telemetry.process(assignment.name())
                : Telemetry.worker(assignment.name());
    }

    void connect(Peer newPeer) {
        peer = newPeer;
    }

    public String name() {
        return assignment.name();
    }

    public WorkerTitle title() {
        return new WorkerTitle(name(), host);
    }

    public ProcessState state() {
        return machine.state();
    }

    /** Returns the worker's job; null until the backend has accepted it. */
    public @Nullable Job job() {
        return job;
    }

    /** Returns the number of the worker, which no other worker of this process ever has. */
    int number() {
        return address().number();
    }

    ProcessAddress address() {
        return assignment.address();
    }

    /**
     * Returns why the worker's job waits, in the platform's words. Empty if it does not wait or the platform gives no
     * reason.
     */
    public Optional<String> waitsFor() {
        return Optional.ofNullable(waitsFor);
    }

    /** Returns what the worker last reported to use of its host, and asks it again without waiting for the answer. */
    public Optional<ProcessUsage> measure() {
        if (admitted && !usageAsked) {
            usageAsked = true;
            UsageService.ask(supervisor.routes().router(), address(), told -> {
                usageAsked = false;
                usage = told;
            });
        }
        return usage;
    }

    /** Sends a message. Returns false if the link is full; the message should then be offered again. */
    public boolean offer(Outgoing message) {
        return peer != null && peer.offer(message);
    }

    /** Sends a message that must not be dropped, before everything that is offered later. */
    @Override
    public void post(Outgoing message) {
        if (peer != null) {
            peer.post(message);
        }
    }

    /** Returns whether the worker shares this host's memory. */
    public boolean isConfined() {
        return peer != null && peer.link().isConfined();
    }

    /** Asks the platform to end the worker, and to kill it after the grace. */
    public void terminate(Duration grace) {
        machine.onTerminate(grace.toNanos(), supervisor.nowNs());
    }

    /** Kills the worker and tells its owner at once, because no conductor remains to receive the platform's events. */
    void abandon(String why) {
        cancelJob(0);
        tellEnd(ProcessEnd.of(ProcessState.LOST, EndCause.CANCELLED, why));
    }

    /** Tells the owner how the worker ended, as the last call for it. */
    void tellEnd(ProcessEnd end) {
        if (end.kind() == ProcessEnd.Kind.HALTED) {
            warnOfHalt(end.lastLines());
        }
        assignment.owner().onEnded(this, end);
        Job last = job;
        if (span != null) {
            span.end(last == null ? "" : last.id(), end.state().name(), end.how());
        }
    }

    void onJob(Job newJob) {
        job = newJob;
        if (cancelled) {
            newJob.cancel(Duration.ofNanos(cancelGraceNs));
        }
    }

    void onJobEvent(JobEvent event) {
        long nowNs = supervisor.nowNs();
        if (job == null) {
            onJob(event.job());
        }
        if (event instanceof JobEvent.Waiting waiting) {
            waitsFor = waiting.reason();
        } else if (event instanceof JobEvent.Running running) {
            waitsFor = null;
            host = Optional.of(running.host()).filter(known -> !known.isBlank());
            machine.onJobRunning(nowNs);
        } else if (event instanceof JobEvent.Preempting) {
            assignment.owner().onLeaving(this);
        } else if (event instanceof JobEvent.Ended ended) {
            onJobEnded(ended.termination(), nowNs);
        }
    }

    /**
     * Handles the end of the job. If memory is shared, everything the process sent has arrived and is read first. Over
     * a network, it may still be on its way.
     */
    private void onJobEnded(JobTermination termination, long nowNs) {
        if (peer != null) {
            peer.drain(nowNs);
        }
        if (admitted && peer != null && !peer.link().isConfined()) {
            machine.onJobEndedAhead(termination, nowNs);
        } else {
            machine.onJobEnded(termination);
        }
    }

    @Override
    public void cancelJob(long graceNs) {
        cancelled = true;
        cancelGraceNs = graceNs;
        if (job != null) {
            try {
                job.cancel(Duration.ofNanos(graceNs));
            } catch (Throwable e) {
                // The limit for its end applies; the conductor must serve other workers.
                Logs.of(RemoteWorker.class)
                        .log(System.Logger.Level.WARNING, "Worker '" + name() + "' could not be cancelled.", e);
            }
        }
    }

    @Override
    public void ended(ProcessEnd last) {
        ProcessEnd end = waitsFor == null ? last : last.afterWaitingFor(waitsFor);
        if (peer != null) {
            peer.close("The process has ended: " + end.how());
        }
        supervisor.retire(this, end);
    }

    /**
     * Warns that the worker was halted. Its own log names what was cut short, but reaches this console only if both are
     * on one host.
     */
    private void warnOfHalt(List<String> lastLines) {
        String seen = supervisor.startsOnThisHost() || lastLines.isEmpty()
                ? ""
                : " Its last line: " + lastLines.get(lastLines.size() - 1);
        Logs.of(RemoteWorker.class)
                .log(
                        System.Logger.Level.WARNING,
                        "FBR-313 '" + name() + "' was killed: its shutdown hooks, which also close WorkerLocals, had"
                                + " not ended within shutdown-grace. Its log names them." + seen);
    }

    @Override
    public void onGone(Peer gone, String reason) {
        if (gone.hasSentFault()) {
            supervisor.countRefusal();
        }
        machine.onLinkGone(reason, supervisor.nowNs());
    }

    @Override
    public void onMessage(Peer from, Message message) {
        if (machine.state().isFinal()) {
            return;
        }
        if (!admitted) {
            handshake.onMessage(message, this);
            return;
        }
        if (isUnderAnotherNumber(message)) {
            refuse("It sent a payload under the number of another process: "
                    + message.payload().sealer() + ".");
            return;
        }
        switch (message.templateId()) {
            case HeartbeatDecoder.TEMPLATE_ID -> {}
            case ReadyDecoder.TEMPLATE_ID -> {
                machine.onReady(supervisor.nowNs());
                if (span != null) {
                    span.ready();
                }
                assignment.owner().onReady(this);
            }
            case LeavingDecoder.TEMPLATE_ID -> assignment.owner().onLeaving(this);
            case HaltingDecoder.TEMPLATE_ID -> machine.onHalting();
            case GoodbyeDecoder.TEMPLATE_ID -> {
                machine.onGoodbye(message.as(new GoodbyeDecoder()).exitCode(), supervisor.nowNs());
                if (!from.link().isConfined()) {
                    // Over a network, the worker stays until it knows that everything it sent was read.
                    from.post(Messages.goodbye(0));
                }
            }
            case RpcMessageDecoder.TEMPLATE_ID ->
                supervisor.routes().router().onMessageOf(address().path(), message);
            default -> assignment.owner().onMessage(this, message);
        }
    }

    /**
     * Returns whether the payload wrongly has another process's number. An {@code RpcMessage} may have one, because an
     * item of a queue is sealed by the process that put it.
     */
    private boolean isUnderAnotherNumber(Message message) {
        SealedPayload payload = message.payload();
        return payload.isSealed()
                && payload.sealer() != number()
                && message.templateId() != RpcMessageDecoder.TEMPLATE_ID;
    }

    /** Closes the connection, because what arrived over it is not valid. */
    @Override
    public void refuse(String reason) {
        if (peer != null && !peer.isClosed()) {
            supervisor.countRefusal();
            peer.close(reason);
        }
    }

    @Override
    public MasterHandshake.Welcome admit() {
        return new MasterHandshake.Welcome(
                supervisor.payloadKey(), assignment.role().encode());
    }

    @Override
    public void onAccepted(ConnectionKeys keys) {
        requireNonNull(peer, "peer").onProven(keys);
        admitted = true;
        waitsFor = null;
        WorkerSupervisor.Routes routes = supervisor.routes();
        routes.router().connect(address().path(), this::offer, routes.seals());
        machine.onJobRunning(supervisor.nowNs());
        assignment.owner().onWelcomed(this);
    }

    /** Counts the refusal. The worker ends itself when it is told. */
    @Override
    public void onOtherVersion(HandshakeFailure failure) {
        supervisor.countRefusal();
    }

    /** Why a worker was started. */
    record WorkerAssignment(ProcessAddress address, String name, WorkerRole role, WorkerOwner owner) {}
}
