// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm.ssh;

import com.jcraft.jsch.AgentIdentityRepository;
import com.jcraft.jsch.AgentProxyException;
import com.jcraft.jsch.Channel;
import com.jcraft.jsch.HostKey;
import com.jcraft.jsch.HostKeyRepository;
import com.jcraft.jsch.Identity;
import com.jcraft.jsch.IdentityRepository;
import com.jcraft.jsch.JSch;
import com.jcraft.jsch.JSchChangedHostKeyException;
import com.jcraft.jsch.JSchException;
import com.jcraft.jsch.JSchRevokedHostKeyException;
import com.jcraft.jsch.JSchSessionDisconnectException;
import com.jcraft.jsch.JSchUnknownHostKeyException;
import com.jcraft.jsch.OpenSSHConfig;
import com.jcraft.jsch.Proxy;
import com.jcraft.jsch.SSHAgentConnector;
import com.jcraft.jsch.Session;
import com.jcraft.jsch.SocketFactory;
import io.fiber.spi.backend.BackendException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Vector;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Opens one session of jsch with a host, over a session with the host before it on the way. */
final class JschSession {

    private static final int ALIVE_INTERVAL_MS = 5_000;
    private static final int ALIVE_MISSED = 2;
    /** The socket's own limits say more when they are met. */
    private static final long LATER_MS = 500;

    private final JSch jsch = new JSch();
    private final SshConfig config;
    private final SshTarget target;
    private final Duration limit;
    private final List<String> offered = new ArrayList<>();
    private @Nullable Session session;

    private JschSession(SshConfig config, Duration limit) {
        this.config = config;
        this.target = config.target();
        this.limit = limit;
    }

    /**
     * Opens a session with a host, and those with the hosts on the way, which end with it.
     *
     * @param limit for each host
     * @throws BackendException why it cannot be opened
     */
    static Session open(SshConfig config, Duration limit) {
        Session nearer = null;
        for (SshConfig jump : config.way()) {
            nearer = new JschSession(jump, limit).open(nearer);
        }
        return new JschSession(config, limit).open(nearer);
    }

    private Session open(@Nullable Session nearer) {
        AtomicBoolean isOver = new AtomicBoolean();
        AtomicBoolean isLate = new AtomicBoolean();
        try {
            jsch.setConfigRepository(OpenSSHConfig.parse(config.ofAlgorithms()));
            jsch.setIdentityRepository(new Keys(keys()));
            jsch.setKnownHosts(new ByteArrayInputStream(trusted()));
            Session opened = jsch.getSession(config.user(), config.address(), config.port());
            session = opened;
            config.value("hostkeyalias").ifPresent(opened::setHostKeyAlias);
            opened.setConfig("StrictHostKeyChecking", "yes");
            opened.setConfig("HashKnownHosts", "no");
            opened.setConfig("PreferredAuthentications", "publickey");
            opened.setDaemonThread(true);
            opened.setServerAliveInterval(ALIVE_INTERVAL_MS);
            opened.setServerAliveCountMax(ALIVE_MISSED);
            if (nearer != null) {
                opened.setProxy(new Jump(nearer));
            }
            // A way through another host has no limit of its own.
            CompletableFuture.delayedExecutor(limit.toMillis() + LATER_MS, TimeUnit.MILLISECONDS)
                    .execute(() -> {
                        if (!isOver.get()) {
                            isLate.set(true);
                            opened.disconnect();
                        }
                    });
            opened.connect((int) limit.toMillis());
            return opened;
        } catch (JSchException | IOException | RuntimeException e) {
            if (nearer != null) {
                nearer.disconnect();
            }
            throw e instanceof BackendException known ? known : failure(e, isLate.get());
        } finally {
            isOver.set(true);
        }
    }

    private BackendException failure(Exception failure, boolean isLate) {
        Session opened = session;
        HostKey shown = opened == null ? null : opened.getHostKey();
        if (failure instanceof JSchUnknownHostKeyException && shown != null) {
            return SshFailures.unknownKey(
                    target,
                    "No " + type(shown) + " host key is known for " + shown.getHost() + "; it shows "
                            + fingerprint(shown));
        }
        if (failure instanceof JSchChangedHostKeyException && shown != null) {
            return SshFailures.changedKey(
                    target, "the host key " + type(shown) + " " + fingerprint(shown), shown.getHost(), fileOf(shown));
        }
        if (failure instanceof JSchRevokedHostKeyException && shown != null) {
            return SshFailures.changedKey(target, SshFailures.REVOKED, shown.getHost(), fileOf(shown));
        }
        boolean isTooManyKeys = shown != null && failure instanceof JSchSessionDisconnectException;
        if (isTooManyKeys || String.valueOf(failure.getMessage()).startsWith("Auth ")) {
            return SshFailures.refused(
                    target,
                    (isTooManyKeys ? failure.getMessage() : "Permission denied (publickey)")
                            + ". Keys that were offered: "
                            + (offered.isEmpty() ? "none" : String.join(", ", offered)));
        }
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        boolean isTimeOut = isLate
                || root instanceof SocketTimeoutException
                || String.valueOf(root.getMessage()).contains("timeout");
        String said = root instanceof JSchException ? String.valueOf(root.getMessage()) : root.toString();
        return SshFailures.unreachable(
                target, isTimeOut ? "the connection timed out after " + limit.toMillis() + " ms" : said);
    }

    private static String type(HostKey key) {
        return key.getType()
                .replaceFirst("^ssh-", "")
                .replaceFirst("^ecdsa-.*", "ECDSA")
                .toUpperCase(java.util.Locale.ROOT);
    }

    /** Returns the fingerprint as OpenSSH writes it. */
    private static String fingerprint(HostKey key) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256")
                    .digest(Base64.getDecoder().decode(key.getKey()));
            return "SHA256:" + Base64.getEncoder().withoutPadding().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private byte[] trusted() throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (Path file : config.knownHosts()) {
            if (Files.isReadable(file)) {
                all.writeBytes(Files.readAllBytes(file));
                all.write('\n');
            }
        }
        return all.toByteArray();
    }

    /** Returns the file that has another key for the host, or says that this one is revoked. */
    private String fileOf(HostKey shown) {
        byte[] key = Base64.getDecoder().decode(shown.getKey());
        for (Path file : config.knownHosts()) {
            try {
                JSch one = new JSch();
                one.setKnownHosts(file.toString());
                if (one.getHostKeyRepository().check(shown.getHost(), key) != HostKeyRepository.NOT_INCLUDED) {
                    return file.toString();
                }
            } catch (JSchException e) {
                SshHost.log("A file of host keys cannot be read.", e);
            }
        }
        return target.knownHosts();
    }

    /** Returns the keys of files, and those of the agent: before the usual ones, as ssh does. */
    private List<Identity> keys() {
        List<Identity> all = new ArrayList<>();
        List<byte[]> named = new ArrayList<>();
        List<Identity> ofFiles = new ArrayList<>();
        List<String> words = new ArrayList<>();
        for (Path file : config.keys()) {
            try {
                JSch reader = new JSch();
                Path certificate = file.resolveSibling(file.getFileName() + "-cert.pub");
                if (Files.isReadable(certificate)) {
                    reader.addIdentity(file.toString(), certificate.toString(), null);
                }
                reader.addIdentity(file.toString());
                for (Identity key : reader.getIdentityRepository().getIdentities()) {
                    named.add(key.getPublicKeyBlob());
                    if (key.isEncrypted()) {
                        words.add(file + " (not without its passphrase)");
                    } else {
                        words.add(file.toString());
                        ofFiles.add(key);
                    }
                }
            } catch (JSchException e) {
                words.add(file + " (which cannot be read: " + e.getMessage() + ")");
            }
        }
        config.agent().ifPresent(socket -> {
            try {
                List<Identity> held = new AgentIdentityRepository(new SSHAgentConnector(socket)).getIdentities();
                held.stream()
                        .filter(key -> !config.hasOnlyNamedKeys() || isOneOf(named, key))
                        .forEach(all::add);
                offered.add(all.size() + " of the agent at " + socket);
            } catch (AgentProxyException | RuntimeException e) {
                offered.add("no key of the agent at " + socket + " (" + e.getMessage() + ")");
            }
        });
        // The key that the user has named, and the agent does not have, is worth the first of few attempts.
        all.addAll(config.values().containsKey("identityfile") ? 0 : all.size(), ofFiles);
        offered.addAll(words);
        return all;
    }

    private static boolean isOneOf(List<byte[]> blobs, Identity key) {
        byte[] blob = key.getPublicKeyBlob();
        return blobs.stream().anyMatch(each -> each != null && Arrays.equals(each, blob));
    }

    /** Keys that are only offered: those of files are never put into the agent. */
    private record Keys(List<Identity> keys) implements IdentityRepository {
        @Override
        public String getName() {
            return "fiber";
        }

        @Override
        public int getStatus() {
            return RUNNING;
        }

        @Override
        @SuppressWarnings("JdkObsolete")
        public Vector<Identity> getIdentities() {
            return new Vector<>(keys);
        }

        @Override
        public boolean add(byte[] identity) {
            return false;
        }

        @Override
        public boolean remove(byte[] blob) {
            return false;
        }

        @Override
        public void removeAll() {
            // The keys are the user's, not ours.
        }
    }

    /** The way to a host through another: a channel of a session instead of a socket. */
    private static final class Jump implements Proxy {
        private final Session session;
        private @Nullable Channel channel;
        private @Nullable InputStream input;
        private @Nullable OutputStream output;

        Jump(Session session) {
            this.session = session;
        }

        @Override
        public void connect(SocketFactory factory, String host, int port, int timeoutMs) throws Exception {
            Channel opened = session.getStreamForwarder(host, port);
            input = opened.getInputStream();
            output = opened.getOutputStream();
            opened.connect(timeoutMs);
            channel = opened;
        }

        @Override
        public @Nullable InputStream getInputStream() {
            return input;
        }

        @Override
        public @Nullable OutputStream getOutputStream() {
            return output;
        }

        @Override
        public @Nullable Socket getSocket() {
            return null;
        }

        @Override
        public void close() {
            Channel opened = channel;
            if (opened != null) {
                opened.disconnect();
            }
            session.disconnect();
        }
    }
}
