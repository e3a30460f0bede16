// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.model.Event;
import com.github.dockerjava.api.model.EventType;
import io.fiber.FiberBuilder;
import io.fiber.Pool;
import io.fiber.backend.support.SessionLabels;
import io.fiber.tck.session.WorkerKillersTck;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** What ends its workers ends few containers. {@link DockerEngineTest} runs it beside a real engine. */
class DockerWorkerKillersKit extends WorkerKillersTck {

    private final Set<String> started = ConcurrentHashMap.newKeySet();
    private final Engine engine = DockerFixture.engine();
    private final ResultCallback.Adapter<Event> events = new ResultCallback.Adapter<>() {
        @Override
        public void onNext(Event event) {
            started.add(String.valueOf(event.getId()));
        }
    };

    @BeforeAll
    void watchEngine() {
        engine.streams()
                .eventsCmd()
                .withEventTypeFilter(EventType.CONTAINER)
                .withEventFilter("start")
                .withLabelFilter(SessionLabels.JOB)
                .exec(events);
    }

    @AfterAll
    void leaveEngine() throws IOException {
        events.close();
        engine.close();
    }

    @Override
    protected void assertNothingLeft() {
        DockerFixture.awaitNothingLeft();
    }

    @Override
    protected FiberBuilder session(String memory) {
        return KitFiber.builder(memory);
    }

    @Override
    protected long jobs(Pool pool) {
        return started.size();
    }
}
