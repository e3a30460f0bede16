// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks.fresh;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Subscription;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** A worker of {@link PlainAeronPool}; it ends when it is told. */
public final class PlainAeronWorker implements FragmentHandler {
    private static final int FRAGMENTS = 4;

    private final ExclusivePublication publication;
    private final UnsafeBuffer answers = new UnsafeBuffer(ByteBuffer.allocateDirect(1 << 15));
    private final IdleStrategy idle = PlainAeronPool.idle();
    private int length;
    private PlainPool.@Nullable Task task;
    private boolean ended;

    private PlainAeronWorker(ExclusivePublication publication) {
        this.publication = publication;
    }

    /** Takes the directory of the driver and the numbers of the streams of requests and answers. */
    public static void main(String[] args) {
        try (Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(args[0]));
                Subscription requests = aeron.addSubscription(PlainAeronPool.CHANNEL, Integer.parseInt(args[1]));
                ExclusivePublication publication =
                        aeron.addExclusivePublication(PlainAeronPool.CHANNEL, Integer.parseInt(args[2]))) {
            PlainAeronWorker worker = new PlainAeronWorker(publication);
            FragmentAssembler assembler = new FragmentAssembler(worker);
            while (!worker.ended) {
                worker.idle.idle(requests.poll(assembler, FRAGMENTS));
            }
        }
    }

    @Override
    public void onFragment(DirectBuffer buffer, int offset, int bytes, Header header) {
        try {
            if (task == null) {
                byte[] function = new byte[bytes];
                buffer.getBytes(offset, function);
                task = PlainPool.task(function);
            } else if (bytes == 1) {
                ended = true;
            } else {
                answer(task, buffer, offset, offset + bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void answer(PlainPool.Task task, DirectBuffer requests, int from, int end) throws IOException {
        for (int at = from; at < end; at += PlainAeronPool.HEAD_BYTES) {
            int first = requests.getInt(at);
            int count = requests.getInt(at + Integer.BYTES);
            if (length + PlainAeronPool.HEAD_BYTES + count * Integer.BYTES > publication.maxMessageLength()) {
                send();
            }
            answers.putInt(length, first);
            answers.putInt(length + Integer.BYTES, count);
            length += PlainAeronPool.HEAD_BYTES;
            for (int item = first; item < first + count; item++, length += Integer.BYTES) {
                answers.putInt(length, PlainPool.apply(task, item));
            }
        }
        send();
    }

    private void send() {
        while (length > 0 && publication.offer(answers, 0, length) < 0) {
            idle.idle();
        }
        idle.reset();
        length = 0;
    }
}
