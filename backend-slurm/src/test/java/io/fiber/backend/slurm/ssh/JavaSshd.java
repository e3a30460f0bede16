// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm.ssh;

import com.jcraft.jsch.JSch;
import com.jcraft.jsch.JSchException;
import com.jcraft.jsch.KeyPair;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PublicKey;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.sshd.common.config.keys.AuthorizedKeyEntry;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.common.session.Session;
import org.apache.sshd.common.session.SessionListener;
import org.apache.sshd.server.SshServer;
import org.apache.sshd.server.auth.pubkey.PublickeyAuthenticator;
import org.apache.sshd.server.forward.AcceptAllForwardingFilter;
import org.apache.sshd.server.keyprovider.SimpleGeneratorHostKeyProvider;
import org.apache.sshd.server.shell.ProcessShellCommandFactory;
import org.apache.sshd.sftp.server.SftpSubsystemFactory;

/** A server inside this JVM, for hosts that have none. */
final class JavaSshd implements TestSshd {

    private final Path directory;
    private final SshServer server;
    private final AtomicLong logins = new AtomicLong();

    private JavaSshd(Path directory, SshServer server) {
        this.directory = directory;
        this.server = server;
    }

    /** Starts one; its files are in a directory that is not there yet. */
    static JavaSshd start(Path directory) throws IOException {
        Files.createDirectory(directory);
        String publicKey = newKey(directory.resolve("key"));
        SimpleGeneratorHostKeyProvider hostKey = new SimpleGeneratorHostKeyProvider();
        hostKey.setAlgorithm(KeyUtils.EC_ALGORITHM);
        hostKey.setKeySize(256);
        SshServer server = SshServer.setUpDefaultServer();
        JavaSshd sshd = new JavaSshd(directory, server);
        server.setHost("127.0.0.1");
        server.setKeyPairProvider(hostKey);
        server.setPublickeyAuthenticator(only(publicKey));
        server.setForwardingFilter(AcceptAllForwardingFilter.INSTANCE);
        server.setCommandFactory(ProcessShellCommandFactory.INSTANCE);
        server.setSubsystemFactories(List.of(new SftpSubsystemFactory()));
        server.addSessionListener(new SessionListener() {
            @Override
            public void sessionEvent(Session session, Event event) {
                if (event == Event.Authenticated) {
                    sshd.logins.incrementAndGet();
                }
            }
        });
        server.start();
        Files.writeString(directory.resolve("known_hosts"), sshd.knownAs("[127.0.0.1]:" + server.getPort()));
        return sshd;
    }

    private static PublickeyAuthenticator only(String publicKey) throws IOException {
        try {
            PublicKey allowed =
                    AuthorizedKeyEntry.parseAuthorizedKeyEntry(publicKey).resolvePublicKey(null, Map.of(), null);
            return (user, key, session) -> KeyUtils.compareKeys(allowed, key);
        } catch (java.security.GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    /** Makes a key of the kind that every server knows, and returns its public half. */
    static String newKey(Path file) throws IOException {
        try {
            KeyPair pair = KeyPair.genKeyPair(new JSch(), KeyPair.ECDSA, 256);
            pair.writePrivateKey(file.toString());
            pair.writePublicKey(file + ".pub", "test");
            return Files.readString(Path.of(file + ".pub"));
        } catch (JSchException e) {
            throw new IOException(e);
        }
    }

    /** Returns a line of trusted host keys. */
    String knownAs(String names) throws IOException {
        try {
            KeyPairProvider keys = server.getKeyPairProvider();
            return names + " "
                    + PublicKeyEntry.toString(
                            keys.loadKeys(null).iterator().next().getPublic())
                    + "\n";
        } catch (java.security.GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    int port() {
        return server.getPort();
    }

    @Override
    public Map<String, String> options() {
        Map<String, String> options = new TreeMap<>();
        options.put(SshOptions.HOST, "127.0.0.1");
        options.put(SshOptions.PORT, String.valueOf(port()));
        options.put(SshOptions.KEY, directory.resolve("key").toString());
        options.put(SshOptions.KNOWN_HOSTS, directory.resolve("known_hosts").toString());
        return options;
    }

    @Override
    public String block(String host) {
        return "Host " + host + "\n    HostName 127.0.0.1\n    Port " + port() + "\n    IdentityFile "
                + directory.resolve("key") + "\n    UserKnownHostsFile " + directory.resolve("known_hosts") + "\n";
    }

    @Override
    public Path key() {
        return directory.resolve("key");
    }

    @Override
    public long logins() {
        return logins.get();
    }

    @Override
    public void breakConnections() {
        server.getActiveSessions().forEach(session -> session.close(true));
    }

    @Override
    public void close() {
        try {
            server.stop(true);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
