// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.managers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.FiberException;
import io.fiber.runtime.process.ProcessSettings;
import io.fiber.runtime.process.SessionContext;
import io.fiber.runtime.process.SubmissionBudget;
import io.fiber.runtime.remotejobs.RemoteJobRequest;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.runtime.rpc.Reply;
import io.fiber.runtime.rpc.Request;
import io.fiber.runtime.rpc.Tree;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.JavaSerializerProvider;
import io.fiber.runtime.serialization.Side;
import io.fiber.runtime.shared.host.ManagerProgram;
import io.fiber.spi.CallerHost;
import io.fiber.spi.Options;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ManagersTest {

    private static final ProcessSettings SETTINGS = new ProcessSettings(
            Optional.empty(), RemoteJobRequest.ofAnyWorker().build(), ProcessSettings.AtClose.TERMINATED);

    private final Tree tree = new Tree();
    private final Tree.Node root = tree.root(Seals.none());
    private final ProcessContext process = new ProcessContext(
            root.router(), binding -> Codecs.of(new JavaSerializerProvider(), Options.none(), Side.MASTER, binding));
    private final SessionContext context = new SessionContext(
            root.router().conductor(),
            process.codecs(),
            Seals.none(),
            Runnable::run,
            Runnable::run,
            new SubmissionBudget(Long.MAX_VALUE),
            process);
    private final RemoteManagerServer managerServer = new RemoteManagerServer(new RemoteManagerServer.Terms(
            root.router(),
            () -> 1,
            "java",
            Duration.ofMinutes(1),
            CallerHost.sameHost(),
            host -> {
                throw new UnsupportedOperationException();
            },
            Optional.empty(),
            () -> {}));

    @Test
    void managerThatDoesNotStartLeavesNothingHosted() {
        List<ObjectAddress> hosted = new ArrayList<>();
        Managers managers = new Managers(
                (program, settings) -> {
                    hosted.add(((ManagerProgram) program).ready());
                    throw new FiberException("FBR-106", "There is no room.");
                },
                context,
                managerServer);

        assertThatThrownBy(() -> managers.start(() -> {}, SETTINGS)).hasMessage("FBR-106 There is no room.");
        List<Reply> replies = new ArrayList<>();
        root.router().call(hosted.get(0), Request.of(0, 1), replies::add);
        tree.settle();

        assertThat(replies).singleElement().isInstanceOf(Reply.Lost.class);
    }
}
