// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.jcraft.jsch.AgentIdentityRepository;
import com.jcraft.jsch.AgentProxyException;
import com.jcraft.jsch.HostKey;
import com.jcraft.jsch.HostKeyRepository;
import com.jcraft.jsch.Identity;
import com.jcraft.jsch.JSch;
import com.jcraft.jsch.JSchChangedHostKeyException;
import com.jcraft.jsch.JSchException;
import com.jcraft.jsch.JSchRevokedHostKeyException;
import com.jcraft.jsch.JSchSessionDisconnectException;
import com.jcraft.jsch.JSchUnknownHostKeyException;
import com.jcraft.jsch.OpenSSHConfig;
import com.jcraft.jsch.SSHAgentConnector;
import com.jcraft.jsch.Session;
import io.fiber.backend.support.Sha256;
import io.fiber.spi.backend.BackendException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Opens one session of jsch with a host, over a session with the host before it on the way. */
final class JschSession {

    private static final int ALIVE_INTERVAL_MS = 5_000;
    private static final int ALIVE_MISSED = 2;
    private static final String HERE = "127.0.0.1";
    private static final int DEFAULT_PORT = 22;
    private static final List<String> ALGORITHMS =
            List.of("KexAlgorithms", "HostKeyAlgorithms", "Ciphers", "MACs", "PubkeyAcceptedAlgorithms");

    private final JSch jsch = new JSch();
    private final SshConfig config;
    private final Duration limit;
    private final List<String> offered = new ArrayList<>();
    private @Nullable HostKey shown;

    private JschSession(SshConfig config, Duration limit) {
        this.config = config;
        this.limit = limit;
    }

    /**
     * Opens the sessions that lead to a host, the last one with the host itself.
     *
     * @param limit for each host
     * @throws BackendException why one cannot be opened
     */
    static Deque<Session> open(SshConfig config, Duration limit) {
        Deque<Session> all = new ArrayDeque<>();
        try {
            Stream.concat(config.way().stream(), Stream.of(config))
                    .forEach(host -> all.add(new JschSession(host, limit).open(all.peekLast())));
            return all;
        } catch (BackendException e) {
            close(all);
            throw e;
        }
    }

    static void close(Deque<Session> sessions) {
        sessions.descendingIterator().forEachRemaining(Session::disconnect);
    }

    private Session open(@Nullable Session nearer) {
        Session opened = null;
        try {
            addKeys();
            jsch.setConfigRepository(OpenSSHConfig.parse(algorithms()));
            jsch.setKnownHosts(new ByteArrayInputStream(trusted()));
            String host = config.address();
            int port = config.port();
            String known = port == DEFAULT_PORT ? host : "[" + host + "]:" + port;
            // A socket of this host knows limits, which a channel does not. It is open to other users for a moment
            // only.
            int door = nearer == null ? 0 : nearer.setPortForwardingL(HERE, 0, host, port);
            opened = nearer == null
                    ? jsch.getSession(config.user(), host, port)
                    : jsch.getSession(config.user(), HERE, door);
            opened.setHostKeyAlias(config.value("hostkeyalias").orElse(known));
            opened.setConfig("StrictHostKeyChecking", "yes");
            opened.setConfig("PreferredAuthentications", "publickey");
            opened.setDaemonThread(true);
            opened.setServerAliveInterval(ALIVE_INTERVAL_MS);
            opened.setServerAliveCountMax(ALIVE_MISSED);
            try {
                opened.connect((int) limit.toMillis());
            } finally {
                shown = opened.getHostKey();
                if (nearer != null) {
                    nearer.delPortForwardingL(HERE, door);
                }
            }
            return opened;
        } catch (JSchException | IOException | RuntimeException e) {
            if (opened != null) {
                opened.disconnect();
            }
            throw failure(e);
        }
    }

    private BackendException failure(Exception failure) {
        HostKey key = shown;
        if (key != null && failure instanceof JSchUnknownHostKeyException) {
            return SshFailures.unknownKey(
                    config,
                    "No " + type(key) + " host key is known for " + key.getHost() + "; it shows " + fingerprint(key));
        }
        boolean isRevoked = failure instanceof JSchRevokedHostKeyException;
        if (key != null && (isRevoked || failure instanceof JSchChangedHostKeyException)) {
            String what = isRevoked ? SshFailures.REVOKED : "the host key " + type(key) + " " + fingerprint(key);
            return SshFailures.changedKey(config, what, key.getHost(), fileOf(key));
        }
        String said = String.valueOf(failure.getMessage());
        boolean isTooManyKeys = key != null && failure instanceof JSchSessionDisconnectException;
        if (isTooManyKeys || said.startsWith("Auth ")) {
            return SshFailures.refused(
                    config,
                    (isTooManyKeys ? said : "Permission denied (publickey)") + ". Keys that were offered: "
                            + (offered.isEmpty() ? "none" : String.join(", ", offered)));
        }
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        boolean isTimeOut = root instanceof SocketTimeoutException
                || String.valueOf(root.getMessage()).contains("timeout");
        return isTimeOut
                ? SshFailures.timedOut(config, "the connection timed out after " + limit.toMillis() + " ms")
                : SshFailures.unreachable(
                        config, root instanceof JSchException ? String.valueOf(root.getMessage()) : root.toString());
    }

    private static String type(HostKey key) {
        return key.getType()
                .replaceFirst("^ssh-", "")
                .replaceFirst("^ecdsa-.*", "ECDSA")
                .toUpperCase(Locale.ROOT);
    }

    /** Returns the fingerprint as OpenSSH writes it. */
    private static String fingerprint(HostKey key) {
        byte[] hash = Sha256.digest(Base64.getDecoder().decode(key.getKey()));
        return "SHA256:" + Base64.getEncoder().withoutPadding().encodeToString(hash);
    }

    private byte[] trusted() throws IOException {
        StringBuilder all = new StringBuilder();
        for (Path file : config.knownHosts()) {
            all.append(Files.isReadable(file) ? Files.readString(file) : "").append('\n');
        }
        return all.toString().getBytes(UTF_8);
    }

    /** Returns the file that has another key for the host, or says that this one is revoked. */
    private String fileOf(HostKey key) {
        for (Path file : config.knownHosts()) {
            try {
                JSch one = new JSch();
                one.setKnownHosts(file.toString());
                HostKeyRepository keys = one.getHostKeyRepository();
                if (keys.check(key.getHost(), Base64.getDecoder().decode(key.getKey()))
                        != HostKeyRepository.NOT_INCLUDED) {
                    return file.toString();
                }
            } catch (JSchException e) {
                SshHost.log("A file of host keys cannot be read.", e);
            }
        }
        return config.knownHosts().get(0).toString();
    }

    /** Returns the algorithms that the configuration allows, without those that only the program knows. */
    private String algorithms() {
        return ALGORITHMS.stream()
                .flatMap(directive -> config.value(directive.toLowerCase(Locale.ROOT)).stream()
                        .map(value -> value.matches("[-+^].*")
                                ? value
                                : Stream.of(value.split(","))
                                        .filter(name ->
                                                JSch.getConfig(name.replace("-cert-v01@openssh.com", "")) != null)
                                        .collect(Collectors.joining(",")))
                        .filter(value -> !value.isEmpty())
                        .map(value -> directive + " " + value + "\n"))
                .collect(Collectors.joining());
    }

    /** Offers the key that the user has named, those of the agent, and those of the configuration. */
    private void addKeys() {
        Map<Path, List<Identity>> files = new LinkedHashMap<>();
        config.keys().forEach(file -> files.put(file, keysOf(file)));
        boolean isOnlyNamed =
                config.value("identitiesonly").filter("yes"::equalsIgnoreCase).isPresent();
        Optional<Path> first = config.options().text(SshOptions.KEY).map(Path::of);
        first.ifPresent(file -> add(file + "", files.getOrDefault(file, List.of())));
        config.agent().ifPresent(socket -> {
            try {
                List<Identity> held = new AgentIdentityRepository(new SSHAgentConnector(socket)).getIdentities();
                List<Identity> used = held.stream()
                        .filter(key -> !isOnlyNamed
                                || files.values().stream().flatMap(List::stream).anyMatch(named -> isSame(named, key)))
                        .toList();
                add(used.size() + " of the agent at " + socket, used);
            } catch (AgentProxyException | RuntimeException e) {
                offered.add("no key of the agent at " + socket + " (" + e.getMessage() + ")");
            }
        });
        files.keySet().removeAll(first.stream().toList());
        files.forEach((file, keys) -> add(file + "", keys));
    }

    private static boolean isSame(Identity one, Identity other) {
        return Arrays.equals(one.getPublicKeyBlob(), other.getPublicKeyBlob());
    }

    /** A key with a passphrase is left to the agent. */
    private void add(String name, List<Identity> keys) {
        boolean isLocked = keys.stream().anyMatch(Identity::isEncrypted);
        try {
            for (Identity key : isLocked ? List.<Identity>of() : keys) {
                jsch.addIdentity(key, null);
            }
            offered.add(name + (isLocked ? " (not without its passphrase)" : ""));
        } catch (JSchException e) {
            offered.add(name + " (which cannot be used: " + e.getMessage() + ")");
        }
    }

    private List<Identity> keysOf(Path file) {
        try {
            JSch reader = new JSch();
            Path certificate = file.resolveSibling(file.getFileName() + "-cert.pub");
            if (Files.isReadable(certificate)) {
                reader.addIdentity(file.toString(), certificate.toString(), null);
            }
            reader.addIdentity(file.toString());
            return List.copyOf(reader.getIdentityRepository().getIdentities());
        } catch (JSchException e) {
            offered.add(file + " (which cannot be read: " + e.getMessage() + ")");
            return List.of();
        }
    }
}
