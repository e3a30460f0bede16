// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.FragmentAssembler;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.Header;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Raw Aeron over shared memory, with terms as small as those of a link. */
final class AeronChannel implements Channel {
    private static final String CHANNEL = "aeron:ipc?term-length=64k";
    private static final int TO_PEER = 1;
    private static final int FROM_PEER = 2;
    private static final int FRAGMENT_LIMIT = 64;

    private final Optional<MediaDriver> driver;
    private final Aeron aeron;
    private final ExclusivePublication publication;
    private final Subscription subscription;
    private final FragmentAssembler assembler = new FragmentAssembler(this::onFragment);
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private Receiver receiver = (kind, length) -> {};
    private boolean wasConnected;

    private AeronChannel(Optional<MediaDriver> driver, Path directory, int outStream, int inStream) {
        this.driver = driver;
        this.aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(directory.toString()));
        this.publication = aeron.addExclusivePublication(CHANNEL, outStream);
        this.subscription = aeron.addSubscription(CHANNEL, inStream);
    }

    static AeronChannel invite(Path directory) {
        MediaDriver driver = MediaDriver.launch(new MediaDriver.Context()
                .aeronDirectoryName(directory.toString())
                .threadingMode(ThreadingMode.SHARED)
                .dirDeleteOnShutdown(true));
        return new AeronChannel(Optional.of(driver), directory, TO_PEER, FROM_PEER);
    }

    static AeronChannel dial(Path directory) {
        return new AeronChannel(Optional.empty(), directory, FROM_PEER, TO_PEER);
    }

    @Override
    public boolean isConnected() {
        wasConnected |= publication.isConnected() && subscription.isConnected();
        return wasConnected;
    }

    @Override
    public boolean isClosed() {
        return wasConnected && !publication.isConnected();
    }

    @Override
    public boolean offer(ByteBuffer message) {
        view.wrap(message, message.position(), message.remaining());
        return publication.offer(view) > 0;
    }

    @Override
    public int poll(Receiver to) {
        receiver = to;
        return subscription.poll(assembler, FRAGMENT_LIMIT);
    }

    @Override
    public void close() {
        aeron.close();
        driver.ifPresent(MediaDriver::close);
    }

    private void onFragment(DirectBuffer buffer, int offset, int length, Header header) {
        receiver.onMessage(buffer.getByte(offset), length);
    }
}
