// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import com.jcraft.jsch.JSch;
import com.jcraft.jsch.JSchException;
import com.jcraft.jsch.Session;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The one session with a login node: opened at the first use, kept open, and opened again when it has broken, after
 * pauses that double while that fails. Thread-safe; blocks while a session is opened, for the target's connect limit at most
 * on each host of the way.
 */
final class SshConnection implements AutoCloseable {

    private static final Duration LAST_CONNECT_LIMIT = Duration.ofSeconds(2);
    private static final int ALIVE_INTERVAL_MS = 5_000;
    private static final int ALIVE_MISSED = 2;
    private static final long SHORTEST_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long LONGEST_PAUSE_NS = TimeUnit.SECONDS.toNanos(8);

    private final SshTarget target;
    private final CountDownLatch end = new CountDownLatch(1);
    private @Nullable Session session;
    /** What threads wait for that need the session while another thread opens it. */
    private @Nullable CompletableFuture<Session> opening;

    private @Nullable BackendException lastFailure;
    private long pauseNs = SHORTEST_PAUSE_NS;
    private long openAgainNs;
    private volatile boolean leaving;
    private boolean closed;

    SshConnection(SshTarget target) {
        this.target = target;
    }

    SshTarget target() {
        return target;
    }

    /**
     * Returns the open session, after it was opened when there was none.
     *
     * @throws BackendUnavailableException when the host cannot be reached, or could not a moment ago
     * @throws BackendException when it refuses us, or cannot be trusted
     */
    Session session() {
        CompletableFuture<Session> result;
        boolean isMine = false;
        synchronized (this) {
            Session open = session;
            if (open != null && open.isConnected()) {
                return open;
            }
            if (closed) {
                throw isClosed();
            }
            BackendException failure = lastFailure;
            if (failure != null && (leaving || System.nanoTime() - openAgainNs < 0)) {
                throw again(failure);
            }
            result = opening;
            if (result == null) {
                result = new CompletableFuture<>();
                opening = result;
                isMine = true;
                drop();
            }
        }
        return isMine ? openFor(result) : await(result);
    }

    private BackendUnavailableException isClosed() {
        return new BackendUnavailableException(
                "FBR-150 The session with the login node " + SshFailures.named(target) + " is closed.");
    }

    private Session openFor(CompletableFuture<Session> others) {
        try {
            Session opened = opened(open(target, leaving));
            others.complete(opened);
            return opened;
        } catch (RuntimeException e) {
            BackendException failure = e instanceof BackendException known ? known : SshFailures.unreachable(target, e);
            failed(failure);
            others.completeExceptionally(failure);
            throw failure;
        }
    }

    private synchronized Session opened(Session fresh) {
        opening = null;
        if (closed) {
            fresh.disconnect();
            throw isClosed();
        }
        session = fresh;
        lastFailure = null;
        pauseNs = SHORTEST_PAUSE_NS;
        return fresh;
    }

    private synchronized void failed(BackendException failure) {
        opening = null;
        lastFailure = failure;
        openAgainNs = System.nanoTime() + pauseNs;
        pauseNs = Math.min(LONGEST_PAUSE_NS, pauseNs * 2);
    }

    private Session await(CompletableFuture<Session> result) {
        try {
            return result.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof BackendException failure ? again(failure) : isClosed();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BackendUnavailableException(
                    "FBR-150 The wait for the login node " + SshFailures.named(target) + " was interrupted.", e);
        }
    }

    private static BackendException again(BackendException failure) {
        String message = String.valueOf(failure.getMessage());
        return failure instanceof BackendUnavailableException
                ? new BackendUnavailableException(message, failure)
                : new BackendException(message, failure);
    }

    /** Ends the pause after a failure: a caller waits for an answer. */
    synchronized void tryNow() {
        openAgainNs = System.nanoTime();
    }

    private static Session open(SshTarget to, boolean inHaste) {
        Session way = to.jump().map(nearer -> open(nearer, inHaste)).orElse(null);
        SshKeys keys = SshKeys.of(to);
        JSch jsch = new JSch();
        TrustedHosts hosts = hosts(jsch, to);
        Session opened = null;
        try {
            jsch.setIdentityRepository(keys);
            opened = jsch.getSession(to.user(), to.host(), to.port());
            opened.setHostKeyRepository(hosts);
            to.hostKeyName().ifPresent(opened::setHostKeyAlias);
            opened.setConfig("StrictHostKeyChecking", "yes");
            opened.setConfig("PreferredAuthentications", "publickey");
            opened.setDaemonThread(true);
            opened.setServerAliveInterval(ALIVE_INTERVAL_MS);
            opened.setServerAliveCountMax(ALIVE_MISSED);
            if (way != null) {
                opened.setProxy(new SshJump(way));
            }
            boolean isShort = inHaste && to.connectLimit().compareTo(LAST_CONNECT_LIMIT) > 0;
            SshPatience.connect(opened, isShort ? LAST_CONNECT_LIMIT : to.connectLimit());
            return opened;
        } catch (JSchException e) {
            if (opened != null) {
                opened.disconnect();
            }
            if (way != null) {
                way.disconnect();
            }
            throw SshFailures.ofConnecting(to, e, hosts, keys);
        }
    }

    private static TrustedHosts hosts(JSch jsch, SshTarget to) {
        try {
            if (Files.isReadable(to.knownHosts())) {
                jsch.setKnownHosts(to.knownHosts().toString());
            }
            return new TrustedHosts(jsch.getHostKeyRepository());
        } catch (JSchException e) {
            throw new BackendException(
                    "FBR-158 The file of trusted host keys '" + to.knownHosts() + "' cannot be read: " + e.getMessage(),
                    e);
        }
    }

    /** Returns what a failure of a session in use means, which is then given up when it is broken. */
    IOException failed(Session used, String what, Exception failure) {
        if (used.isConnected()) {
            return new IOException(what + ": " + failure.getMessage(), failure);
        }
        return new SessionLostException(SshFailures.lost(target, what), failure);
    }

    /** The session has broken; what was asked for may be asked again. */
    static final class SessionLostException extends IOException {
        private static final long serialVersionUID = 1L;

        private final transient BackendUnavailableException inWords;

        SessionLostException(BackendUnavailableException inWords, Throwable cause) {
            super(inWords.getMessage(), cause);
            this.inWords = inWords;
        }

        BackendUnavailableException inWords() {
            return inWords;
        }
    }

    /**
     * From now on a session that breaks, and cannot be opened at once, is not waited for; after a limit nothing is waited
     * for any more.
     */
    void leave(Duration limit) {
        leaving = true;
        SshPatience.unless(end, limit, "fiber-slurm-leaves", this::close);
    }

    boolean isLeaving() {
        return leaving;
    }

    private void drop() {
        Session old = session;
        session = null;
        if (old != null) {
            old.disconnect();
        }
    }

    @Override
    public void close() {
        CompletableFuture<Session> waitedFor;
        synchronized (this) {
            closed = true;
            drop();
            waitedFor = opening;
        }
        end.countDown();
        if (waitedFor != null) {
            waitedFor.completeExceptionally(isClosed());
        }
    }
}
