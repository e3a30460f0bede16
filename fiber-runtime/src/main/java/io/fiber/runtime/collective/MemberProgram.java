// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.collective;

import io.fiber.Connection;
import io.fiber.FiberException;
import io.fiber.RingMember;
import io.fiber.function.RemoteFunction;
import io.fiber.function.RemoteRunnable;
import io.fiber.runtime.platform.HostAddress;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.runtime.rpc.Reply;
import io.fiber.runtime.rpc.Request;
import io.fiber.runtime.security.SealException;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.serialization.ValueName;
import io.fiber.runtime.worker.TaskThread;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.CloseHelper;
import org.jspecify.annotations.Nullable;

/**
 * The program of a member's process: the initializer, the wait for all members, the function. Collective operations
 * have pipes of their own, so that they are not mixed with what the program sends.
 *
 * @param process the process that runs it, wherever it is
 * @param registrar where it reports
 * @param allNext pipe to the next member, for collective operations
 * @param allPrevious pipe to the previous member, for collective operations
 * @param function runs when all members are there
 */
record MemberProgram(
        ProcessContext process,
        ObjectAddress registrar,
        Exchange.Position position,
        Connection<Object, Object> next,
        Connection<Object, Object> previous,
        Connection<?, ?> allNext,
        Connection<?, ?> allPrevious,
        RemoteRunnable initializer,
        RemoteFunction<? super RingMember, ? extends @Nullable Object> function)
        implements TaskThread.ReportedProgram {

    private static final ValueName RESULT = new ValueName("the result", "a ring");

    /** Lets the JDK decide how many connections may wait. */
    private static final int DEFAULT_BACKLOG = 0;

    @Override
    public void run() throws Exception {
        initializer.run();
        ServerSocket socket = reserve(host());
        AtomicReference<@Nullable ServerSocket> reserved = new AtomicReference<>(socket);
        try {
            List<InetSocketAddress> addresses = register((InetSocketAddress) socket.getLocalSocketAddress());
            Member member =
                    new Member(this, addresses, reserved, process.codecs().values());
            SealedPayload result = process.seal(function.apply(member), RESULT);
            call(RingRegistrar.DONE, result, "the end of the ring");
        } finally {
            // What the function returned or threw has priority.
            CloseHelper.quietClose(reserved.getAndSet(null));
        }
    }

    /** Holds a free port at an address of this host. */
    private static ServerSocket reserve(InetAddress host) {
        try {
            return new ServerSocket(0, DEFAULT_BACKLOG, host);
        } catch (IOException e) {
            throw new FiberException(
                    "FBR-463",
                    "No port can be reserved for a member of a ring at the address " + host.getHostAddress()
                            + ", which this host reports as its own: " + e.getMessage(),
                    e);
        }
    }

    /** Unsealed traffic between a worker and its master stays on one host. */
    private InetAddress host() {
        return process.seals() == Seals.none() ? InetAddress.getLoopbackAddress() : HostAddress.reachable();
    }

    private List<InetSocketAddress> register(InetSocketAddress address) throws IOException, SealException {
        SealedPayload here = process.seals().close(RingRegistrar.write(address));
        Payload table = call(RingRegistrar.HERE, here, "the other members of the ring");
        return RingRegistrar.read(table, position.size());
    }

    private Payload call(int operation, SealedPayload body, String what) throws SealException {
        Request request = new Request(operation, position.rank(), body);
        Reply reply = process.router().await(registrar, request, what);
        if (reply instanceof Reply.Answer answer) {
            return process.seals().open(answer.payload());
        }
        if (reply instanceof Reply.Lost lost) {
            throw lost.reason().toException();
        }
        throw new FiberException("FBR-302", "The run of ring '" + position.ring() + "' is over.");
    }
}
