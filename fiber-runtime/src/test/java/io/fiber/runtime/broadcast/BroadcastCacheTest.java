// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.broadcast;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.Broadcast;
import io.fiber.runtime.eventloop.Duty;
import io.fiber.runtime.platform.FileTree;
import io.fiber.runtime.process.LookupClient;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.protocol.RefusedLookupException;
import io.fiber.runtime.rpc.Hosted;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.runtime.rpc.ServiceCall;
import io.fiber.runtime.rpc.Tree;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.JavaSerializerProvider;
import io.fiber.runtime.serialization.Side;
import io.fiber.spi.CallerHost;
import io.fiber.spi.Options;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.IntBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker fetches values of a master on another host. What waits at the worker conducts both. */
class BroadcastCacheTest {

    private static final int INTS = 1 << 18;

    private final Tree tree = new Tree();
    private final Tree.Node root = tree.root(Seals.none());
    private final Tree.Node worker = root.worker(1);
    private final ProcessContext master = process(root, Side.MASTER);
    private final ProcessContext there = process(worker, Side.WORKER);
    private final Path directory;
    private final Path copies;
    private final BroadcastRegister register;
    private final BroadcastCache cache;
    private @Nullable Payload partQuestion;
    private long greatestAnswerBytes;

    BroadcastCacheTest(@TempDir Path directory) {
        this.directory = directory;
        copies = directory.resolve("copies");
        register = new BroadcastRegister(
                directory.resolve("values"), master.codecs().values(), Optional.empty());
        long server = root.router()
                .host(new Hosted() {
                    @Override
                    public void onCall(ServiceCall call) {
                        answer(call);
                    }
                })
                .object();
        cache = new BroadcastCache(
                new LookupClient(worker.router(), server), there.codecs().values(), new SharedCopy(this::made));
        cache.enter(there);
        worker.router().conductor().addDuty(new Duty() {
            @Override
            public int doWork(long nowNs) {
                root.router().conductor().doWork();
                return 0;
            }

            @Override
            public boolean isUrgent() {
                return true;
            }
        });
    }

    private static ProcessContext process(Tree.Node node, Side side) {
        return new ProcessContext(
                node.router(), binding -> Codecs.of(new JavaSerializerProvider(), Options.none(), side, binding));
    }

    private Path made() {
        try {
            return Files.createDirectories(copies);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void answer(ServiceCall call) {
        Payload question = call.request().body().bytes();
        try {
            if (question.open().readByte() == BroadcastRegister.PART) {
                partQuestion = question;
            }
            Payload answer = register.answer(question.open(), CallerHost.Reach.NETWORK);
            greatestAnswerBytes = Math.max(greatestAnswerBytes, answer.length());
            call.answer(0, Seals.none().close(answer));
        } catch (RefusedLookupException e) {
            PayloadOutput why = new PayloadOutput();
            why.writeText(e.code());
            why.writeText(e.reason());
            call.answer(2, Seals.none().close(why.toPayload()));
        } catch (IOException e) {
            call.answer(1, Seals.none().close(Payload.ofText(String.valueOf(e.getMessage()))));
        }
    }

    private Broadcast<IntBuffer> broadcast(int first) {
        int[] value = new int[INTS];
        value[0] = first;
        return register.add(IntBuffer.wrap(value));
    }

    /** Returns the value as the worker reads it. */
    private IntBuffer atWorker(Broadcast<IntBuffer> handle) {
        PayloadOutput out = new PayloadOutput();
        master.codecs().values().write(handle, out);
        Object received =
                requireNonNull(there.codecs().values().read(out.toPayload().open()));
        return (IntBuffer) ((Broadcast<?>) received).get();
    }

    private static long count(Path listed, String part) {
        try (Stream<String> names = listed.startsWith("/proc")
                ? Files.lines(listed)
                : Files.list(listed).map(Path::toString)) {
            return names.filter(name -> name.contains(part)).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void workerLetsGoOfValuesThatWereClosedWhenItFetchesAnother() {
        for (int generation = 0; generation < 5; generation++) {
            try (Broadcast<IntBuffer> value = broadcast(generation)) {
                assertThat(atWorker(value).get(0)).isEqualTo(generation);
            }
        }
        assertThat(count(copies, "INT_BUFFER")).as("copies").isEqualTo(1);
        assertThat(count(copies, ".lock")).as("locks").isEqualTo(1);
        await("the views to go").until(() -> {
            System.gc();
            return count(Path.of("/proc/self/maps"), copies.toString()) <= 1;
        });
    }

    @Test
    void workerKeepsValuesThatAreOpenWhenItFetchesAnother() {
        Broadcast<IntBuffer> first = broadcast(1);
        Broadcast<IntBuffer> second = broadcast(2);
        assertThat(atWorker(first).get(0)).isEqualTo(1);
        assertThat(atWorker(second).get(0)).isEqualTo(2);

        assertThat(count(copies, "INT_BUFFER")).isEqualTo(2);
    }

    @Test
    void refusalOfTheMasterIsTheError() {
        Broadcast<IntBuffer> value = broadcast(1);
        PayloadOutput out = new PayloadOutput();
        master.codecs().values().write(value, out);
        value.close();

        assertThatThrownBy(() -> ((Broadcast<?>) requireNonNull(
                                there.codecs().values().read(out.toPayload().open())))
                        .get())
                .hasMessage("FBR-512 The broadcast value of " + 4 * INTS
                        + " bytes was closed, or belongs to another session.");
    }

    /** The words of a disk may look like anything. */
    @Test
    void failureIsNotTakenForARefusalByItsWords() {
        assertThat(BroadcastCache.failure(new IOException("FBR-512 is a file")))
                .hasMessage("FBR-512 The broadcast value cannot be fetched: FBR-512 is a file");
    }

    @Test
    void valueTravelsInPartsOfHalfAMegabyteAtMost() {
        assertThat(atWorker(broadcast(1)).remaining()).isEqualTo(INTS);
        assertThat(greatestAnswerBytes).isEqualTo(1 << 19);
    }

    /** The worker that had made the copies has ended, and removed them. */
    @Test
    void workersOfAWorkerReadAValueWhoseCopyWasRemoved() throws IOException {
        BroadcastRegister below =
                new BroadcastRegister(directory.resolve("below"), there.codecs().values(), Optional.of(cache));
        atWorker(broadcast(1));
        PayloadInput question = requireNonNull(partQuestion).open();
        assertThat(below.answer(question, CallerHost.Reach.NETWORK).length()).isEqualTo(1 << 19);
        FileTree.remove(copies);

        question = requireNonNull(partQuestion).open();
        assertThat(below.answer(question, CallerHost.Reach.NETWORK).length()).isEqualTo(1 << 19);
    }
}
