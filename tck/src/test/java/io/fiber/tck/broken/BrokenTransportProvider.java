// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.broken;

import io.fiber.spi.CallerHost;
import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.FrameHandler;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.LinkUse;
import io.fiber.spi.transport.OfferResult;
import io.fiber.spi.transport.Transport;
import io.fiber.spi.transport.TransportContext;
import io.fiber.spi.transport.TransportException;
import io.fiber.spi.transport.TransportListener;
import io.fiber.spi.transport.TransportProvider;
import io.fiber.tck.memory.MemoryNetwork;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The transport in memory with one bug. */
final class BrokenTransportProvider implements TransportProvider {

    private final MemoryNetwork network = new MemoryNetwork();
    /** Of links that one end has closed. */
    private final Set<Address> closedAddresses = ConcurrentHashMap.newKeySet();

    private final TransportBug bug;
    /** Ends the threads that a bug leaks. */
    private final CountDownLatch fixtureClosed;

    BrokenTransportProvider(TransportBug bug, CountDownLatch fixtureClosed) {
        this.bug = bug;
        this.fixtureClosed = fixtureClosed;
    }

    private boolean has(TransportBug other) {
        return bug == other;
    }

    @Override
    public String name() {
        return has(TransportBug.ANOTHER_NAME) ? "another" : "memory";
    }

    @Override
    public List<String> jvmOptions(CodePath path) {
        return List.of();
    }

    @Override
    public String inWords(Address address) {
        if (has(TransportBug.WORDS_FOR_OWN_ADDRESSES_ONLY) && !address.text().matches("memory:(open|confined):.*")) {
            throw new IllegalArgumentException("not mine");
        }
        return address.text();
    }

    @Override
    public Transport create(TransportContext context) {
        if (has(TransportBug.CREATE_MAKES_FILE)) {
            touch(context.directory().resolve("early"));
        }
        return new BrokenTransport(network.provider().create(new Context(context)), context);
    }

    private static void touch(Path file) {
        try {
            Files.writeString(file, "left");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void linger(Duration time) {
        long endNs = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - endNs < 0) {
            LockSupport.parkNanos(10_000_000);
        }
    }

    /** A context that lies about what the kit said, where the bug wants it. */
    private final class Context implements TransportContext {
        private final TransportContext context;

        Context(TransportContext context) {
            this.context = context;
        }

        @Override
        public String sessionId() {
            return context.sessionId();
        }

        @Override
        public Path directory() {
            return context.directory();
        }

        @Override
        public void removeAtDeath(Path directory) {
            context.removeAtDeath(directory);
        }

        @Override
        public io.fiber.spi.Options options() {
            return context.options();
        }

        @Override
        public CallerHost callerHost() {
            return has(TransportBug.ALWAYS_CONFINED) ? CallerHost.sameHost() : context.callerHost();
        }

        @Override
        public int maxPeers() {
            return context.maxPeers();
        }

        @Override
        public Duration lease() {
            return context.lease();
        }

        @Override
        public TransportListener listener() {
            return context.listener();
        }
    }

    /** Passes everything on, but for the bug. */
    private final class BrokenTransport implements Transport {
        private @Nullable ServerSocket server;
        private final Transport real;
        private final TransportContext context;
        private int readings;
        private volatile byte[] garbage = new byte[0];
        private final Set<Address> invited = new HashSet<>();
        private final List<Pipe> channels = new ArrayList<>();
        private @Nullable Selector given;
        private final List<BrokenLink> links = new CopyOnWriteArrayList<>();
        private boolean hasDialled;
        private boolean isStuck;
        private boolean closed;

        BrokenTransport(Transport real, TransportContext context) {
            this.real = real;
            this.context = context;
        }

        @Override
        public Link invite(LinkUse use) {
            if (hasDialled && has(TransportBug.DIALLER_CANNOT_INVITE)) {
                throw new TransportException(TransportException.Kind.UNUSABLE, "only masters invite");
            }
            if (has(TransportBug.UNUSED_INVITATION_KEEPS_PLACE)
                    && links.stream().filter(BrokenLink::hasPlace).count() >= context.maxPeers()) {
                throw new TransportException(TransportException.Kind.NO_ROOM, "no place");
            }
            LinkUse meant = has(TransportBug.UNREAD_DATA_LOST) ? LinkUse.CONVERSATION : use;
            if (closed && has(TransportBug.CRASH_AFTER_CLOSE)) {
                throw new NullPointerException("a field that close cleared");
            }
            if (has(TransportBug.NO_ROOM_IS_UNCHECKED)) {
                try {
                    return new BrokenLink(real.invite(meant), this);
                } catch (TransportException e) {
                    throw new IllegalStateException("full", e);
                }
            }
            if (has(TransportBug.LEAKS_THREAD)) {
                Thread thread = new Thread(this::waitForFixture, "leaked-by-transport");
                thread.setDaemon(true);
                thread.start();
            }
            if (has(TransportBug.BINDS_EVERY_ADDRESS) && server == null) {
                server = openServer();
            }
            BrokenLink link = new BrokenLink(real.invite(meant), this);
            link.isForData = use == LinkUse.DATA;
            link.isInvited = true;
            links.add(link);
            invited.add(link.address());
            return link;
        }

        private static ServerSocket openServer() {
            try {
                return new ServerSocket(0);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void waitForFixture() {
            try {
                fixtureClosed.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public int listen(int port, Consumer<Link> newcomers) {
            return has(TransportBug.LISTENS_WITHOUT_ADDRESS) ? 1 : real.listen(port, newcomers);
        }

        @Override
        public Link dial(Address address) {
            hasDialled = true;
            if (has(TransportBug.OWN_ADDRESS_REFUSED) && invited.contains(address)) {
                throw new TransportException(TransportException.Kind.BAD_ADDRESS, address.text() + " is my own");
            }
            if (has(TransportBug.BAD_ADDRESS_IS_UNCHECKED)) {
                try {
                    return new BrokenLink(real.dial(address), this);
                } catch (TransportException e) {
                    throw new IllegalArgumentException("bad", e);
                }
            }
            BrokenLink dialled = new BrokenLink(real.dial(address), this);
            dialled.isForData = address.text().endsWith(":data");
            links.add(dialled);
            return dialled;
        }

        @Override
        public boolean registerWith(Selector selector) {
            boolean isChannelNeeded =
                    has(TransportBug.TELLS_WITHOUT_END) || has(TransportBug.REGISTERS_AND_CANNOT_TELL);
            if (isChannelNeeded) {
                registerOneThatIsAlwaysReady(selector);
            }
            given = selector;
            return has(TransportBug.TELLS_NOTHING)
                    || has(TransportBug.TELLS_WITHOUT_END)
                    || has(TransportBug.NEEDS_ITS_SELECTOR);
        }

        private void registerOneThatIsAlwaysReady(Selector selector) {
            try {
                Pipe pipe = Pipe.open();
                pipe.sink().configureBlocking(false);
                pipe.sink().register(selector, SelectionKey.OP_WRITE);
                channels.add(pipe);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void closeChannels() {
            try {
                for (Pipe pipe : channels) {
                    pipe.sink().close();
                    pipe.source().close();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public int doWork() {
            Selector used = given;
            if (used != null && !used.isOpen() && has(TransportBug.NEEDS_ITS_SELECTOR)) {
                throw new ClosedSelectorException();
            }
            if (has(TransportBug.IDLE_ALLOCATES)) {
                garbage = new byte[16];
            }
            int work = real.doWork();
            return switch (bug) {
                case NEVER_IDLE -> 1 + garbage.length + work;
                case WORK_IS_NOT_TOLD -> 0;
                case INVITING_IS_WORK -> work + waitingInvitations();
                case PEER_CLOSE_IS_FAILURE -> {
                    tellClosedByPeer();
                    yield work;
                }
                default -> work;
            };
        }

        private int waitingInvitations() {
            int waiting = 0;
            for (int i = 0; i < links.size(); i++) {
                waiting += links.get(i).isInvited && links.get(i).state() == LinkState.CONNECTING ? 1 : 0;
            }
            return waiting;
        }

        private void tellClosedByPeer() {
            for (int i = 0; i < links.size(); i++) {
                BrokenLink link = links.get(i);
                if (link.state() == LinkState.CLOSED && !link.isClosedHere && !link.isFailureTold) {
                    link.isFailureTold = true;
                    context.listener()
                            .onFailed(new TransportException(TransportException.Kind.INTERNAL, "a peer is gone"));
                }
            }
        }

        @Override
        public Map<String, Long> counters() {
            Map<String, Long> values = new HashMap<>(real.counters());
            if (has(TransportBug.COUNTS_GO_WITH_THEIR_LINK)) {
                values.put(
                        "frames-accepted",
                        links.stream()
                                .filter(each -> each.state() != LinkState.CLOSED)
                                .mapToLong(each -> each.offers)
                                .sum());
            }
            if (has(TransportBug.COUNTERS_SHRINK)) {
                values.replaceAll((name, value) -> 10L - readings);
                readings++;
            }
            return values;
        }

        private void closeServer() {
            ServerSocket open = server;
            if (open != null) {
                try {
                    open.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }

        @Override
        public void close() {
            if (closed && has(TransportBug.SECOND_CLOSE_THROWS)) {
                throw new IllegalStateException("closed already");
            }
            boolean lingers = !closed && isStuck && has(TransportBug.SLOW_CLOSE);
            closed = true;
            closeServer();
            if (lingers) {
                linger(Duration.ofMillis(3_200));
            }
            if (has(TransportBug.LEAVES_FILE)) {
                touch(context.directory().resolve("left"));
            }
            closeChannels();
            real.close();
        }
    }

    /** Passes everything on, but for the bug. */
    private final class BrokenLink implements Link {
        private final Link real;
        private final BrokenTransport transport;
        private final ByteBuffer held = ByteBuffer.allocateDirect(16 << 10);
        private long offers;
        private boolean holding;
        private boolean isForData;
        private boolean isInvited;
        private boolean isUnused;
        private volatile boolean isClosedHere;
        private boolean isFailureTold;
        private boolean polling;
        private final Thread maker = Thread.currentThread();
        private volatile @Nullable Thread user;

        BrokenLink(Link real, BrokenTransport transport) {
            this.real = real;
            this.transport = transport;
        }

        @Override
        public Address address() {
            return real.address();
        }

        @Override
        public LinkState state() {
            closeWithPeer();
            if (has(TransportBug.CLOSE_UNNOTICED) && real.state() == LinkState.CLOSED) {
                return LinkState.CONNECTED;
            }
            return has(TransportBug.CONNECTED_AT_ONCE) && real.state() == LinkState.CONNECTING
                    ? LinkState.CONNECTED
                    : real.state();
        }

        @Override
        public String closeReason() {
            if (isClosedHere && has(TransportBug.LATE_CLOSE_CHANGES_REASON)) {
                return "closed here";
            }
            return has(TransportBug.NO_CLOSE_REASON) ? "" : real.closeReason();
        }

        @Override
        public boolean isConfined() {
            return has(TransportBug.CONFINED_WHEN_CONNECTED) ? real.state() == LinkState.CONNECTED : real.isConfined();
        }

        @Override
        public int maxFrameLength() {
            return has(TransportBug.SHORT_FRAMES) || (isForData && has(TransportBug.DATA_IN_SHORT_FRAMES))
                    ? 512
                    : real.maxFrameLength();
        }

        private boolean isConnected() {
            return real.state() == LinkState.CONNECTED;
        }

        @Override
        public OfferResult offer(ByteBuffer frame) {
            if (has(TransportBug.ONE_THREAD_ONLY) && isAnotherThread()) {
                return OfferResult.NOT_CONNECTED;
            }
            if (has(TransportBug.LENGTH_UNCHECKED) && frame.remaining() == 0) {
                return OfferResult.ACCEPTED;
            }
            if (has(TransportBug.OFFERS_ACCEPTED_EARLY) && real.state() == LinkState.CONNECTING) {
                return OfferResult.ACCEPTED;
            }
            if (has(TransportBug.SWAPS_FRAMES) && real.state() == LinkState.CONNECTED) {
                return offerSwapped(frame);
            }
            if (polling && has(TransportBug.NO_OFFER_INSIDE_POLL)) {
                return OfferResult.BACK_PRESSURED;
            }
            offers++;
            if (has(TransportBug.LOSES_FRAMES) && isConnected() && offers % 10_000 == 0) {
                return OfferResult.ACCEPTED;
            }
            OfferResult result = real.offer(frame);
            transport.isStuck = result == OfferResult.BACK_PRESSURED;
            if (result == OfferResult.BACK_PRESSURED && has(TransportBug.REFUSED_OFFER_MOVES_POSITION)) {
                frame.position(frame.position() + frame.remaining() / 2);
            }
            if (result != OfferResult.ACCEPTED) {
                return result == OfferResult.BACK_PRESSURED && has(TransportBug.DROPS_WHEN_FULL)
                        ? OfferResult.ACCEPTED
                        : result;
            }
            if (has(TransportBug.DUPLICATES_FRAMES) && offers % 10_000 == 0) {
                real.offer(frame);
            }
            if (has(TransportBug.MOVES_POSITION)) {
                frame.position(frame.limit());
            }
            return result;
        }

        private boolean isAnotherThread() {
            Thread first = user;
            if (first == null) {
                user = Thread.currentThread();
            }
            return first != null && first != Thread.currentThread();
        }

        /** Every 300th frame goes after its successor. */
        private OfferResult offerSwapped(ByteBuffer frame) {
            if (!holding && offers++ % 300 == 299) {
                held.clear().put(0, frame, frame.position(), frame.remaining()).limit(frame.remaining());
                holding = true;
                return OfferResult.ACCEPTED;
            }
            OfferResult result = real.offer(frame);
            if (holding && result == OfferResult.ACCEPTED && real.offer(held) == OfferResult.ACCEPTED) {
                holding = false;
            }
            return result;
        }

        boolean hasPlace() {
            return isInvited && (isUnused || state() != LinkState.CLOSED);
        }

        private void closeWithPeer() {
            if (has(TransportBug.ACCEPTED_FRAMES_LOST) && !isForData && closedAddresses.contains(address())) {
                real.close();
            }
        }

        @Override
        public int poll(FrameHandler handler, int frameLimit) {
            closeWithPeer();
            if (has(TransportBug.ONE_THREAD_ONLY) && isAnotherThread()) {
                return 0;
            }
            if (has(TransportBug.POLL_IGNORES_LIMIT)) {
                return real.poll(handler, 1_000);
            }
            if (has(TransportBug.POLL_COUNTS_NOTHING)) {
                return Math.max(1, real.poll(handler, frameLimit));
            }
            if (has(TransportBug.BUFFER_FOR_EACH_FRAME)) {
                return real.poll((buffer, at, length) -> handler.onFrame(buffer.duplicate(), at, length), frameLimit);
            }
            if (has(TransportBug.POLL_OF_NONE_HANDS_ONE)) {
                return real.poll(handler, Math.max(1, frameLimit));
            }
            polling = true;
            try {
                return real.poll(handler, frameLimit);
            } finally {
                polling = false;
            }
        }

        @Override
        public void close() {
            if (has(TransportBug.CLOSED_BY_ONE_THREAD_ONLY) && Thread.currentThread() != maker) {
                throw new IllegalStateException("not the conductor");
            }
            isUnused = isUnused || real.state() == LinkState.CONNECTING;
            isClosedHere = true;
            closedAddresses.add(address());
            real.close();
        }
    }
}
