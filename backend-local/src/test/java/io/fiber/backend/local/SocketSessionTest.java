// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.Connection;
import io.fiber.EndOfStreamException;
import io.fiber.Fiber;
import io.fiber.FiberBuilder;
import io.fiber.FiberProcess;
import io.fiber.FiberQueue;
import io.fiber.ManagedMap;
import io.fiber.Manager;
import io.fiber.Pipe;
import io.fiber.Pool;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every type over the transport "socket" with real processes of this host, which use a socket file. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SocketSessionTest {

    private static final int LONG_MESSAGE_BYTES = 8 << 20;

    @RegisterExtension
    final SharedSession session = new SharedSession(this::builder);

    /** Overridden where the same is shown over TCP. */
    FiberBuilder builder() {
        return LocalFiber.builder("socket");
    }

    @Test
    void sessionSaysThatItsLinksAreSockets() {
        session.pool(2).apply(LocalFiber::pid);
        assertThat(session.fiber().describe())
                .contains("fiber.transport = socket (from the program's code)\n")
                .contains("counted links-opened = ")
                .doesNotContain("counted refused-connections");
    }

    /** The transport needs no option of the JVM; the buffers of Fiber itself do. */
    @Test
    void workersMayUseAgronaWhereItIsNotOpenedInProcess() {
        try (Fiber fiber = builder()
                .set("agrona.open", "false")
                .set("worker.inherit-options", "false")
                .open()) {
            assertThat(fiber.pool(1).apply(() -> 3)).isEqualTo(3);
        }
    }

    @Test
    void poolMaps() {
        List<Integer> numbers = LocalFiber.numbers(20_000);
        assertThat(session.pool(2).map(number -> number * number, numbers))
                .isEqualTo(numbers.stream().map(number -> number * number).toList());
    }

    @Test
    void longArgumentsAndResultsArriveWhole() {
        byte[] message = new byte[LONG_MESSAGE_BYTES];
        for (int i = 0; i < message.length; i++) {
            message[i] = (byte) (i * 31 + (i >> 10));
        }
        List<byte[]> echoes = session.pool(2).map((byte[] bytes) -> bytes, List.of(message, message));
        assertThat(echoes)
                .allSatisfy(echo -> assertThat(Arrays.equals(echo, message))
                        .as("what came back is what was sent")
                        .isTrue());
    }

    @Test
    void workersPutIntoAQueueOfTheProgram() {
        FiberQueue<Integer> queue = session.fiber().queue();
        session.pool(2)
                .map(
                        number -> {
                            queue.put(number);
                            return number;
                        },
                        LocalFiber.numbers(500));
        int sum = 0;
        for (int i = 0; i < 500; i++) {
            sum += queue.take();
        }
        assertThat(sum).isEqualTo(499 * 500 / 2);
    }

    private static void echo(Connection<Object, Object> end) {
        try (end) {
            while (true) {
                end.send(end.receive());
            }
        } catch (EndOfStreamException e) {
            // The other end has nothing more to say.
        }
    }

    @Test
    void twoWorkersTalkOverAPipe() {
        Pipe<Object, Object> pipe = session.fiber().pipe();
        Connection<Object, Object> one = pipe.first();
        Connection<Object, Object> other = pipe.second();
        FiberProcess echoing = session.fiber().process(() -> echo(other));
        int sum = session.pool(2).apply(() -> {
            int total = 0;
            for (int i = 0; i < 500; i++) {
                one.send(i);
                total += (Integer) one.receive();
            }
            one.send(new byte[LONG_MESSAGE_BYTES]);
            total += ((byte[]) one.receive()).length;
            one.close();
            return total;
        });
        assertThat(sum).isEqualTo(499 * 500 / 2 + LONG_MESSAGE_BYTES);
        assertThat(echoing.join()).isZero();
    }

    @Test
    void workersShareAMapOfAManager() {
        try (Manager manager = session.fiber().manager()) {
            ManagedMap<String, Integer> counts = manager.map();
            session.pool(2)
                    .map(
                            number -> {
                                counts.merge("even " + (number % 2 == 0), 1, Integer::sum);
                                return number;
                            },
                            LocalFiber.numbers(200));
            assertThat(counts.get("even true")).isEqualTo(100);
            assertThat(counts.get("even false")).isEqualTo(100);
        }
    }

    @Test
    void membersOfARingReduceWithoutTheProgram() {
        List<Long> sums = session.fiber().ring(3).call(member -> {
            long[] numbers = new long[100_000];
            Arrays.fill(numbers, member.rank() + 1);
            member.allReduce(numbers, Long::sum);
            return Arrays.stream(numbers).sum();
        });
        assertThat(sums).containsExactly(600_000L, 600_000L, 600_000L);
    }

    @Test
    void workerHasWorkersOfItsOwn() {
        assertThat(session.pool(2).apply(() -> {
                    try (Pool inner = Fiber.current().pool(1)) {
                        return inner.map((Integer number) -> number + 1, List.of(1, 2, 3));
                    }
                }))
                .containsExactly(2, 3, 4);
    }
}
