// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.spi.backend.BackendException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** jsch, on hosts that have neither {@code ssh} nor {@code sshd}. */
class JschOnJavaSshdTest extends SshHostKit {

    @Override
    String client() {
        return "jsch";
    }

    @Override
    JavaSshd sshd() throws IOException {
        return JavaSshd.start(directory.resolve("sshd"));
    }

    @Test
    void hostBehindAnotherIsReachedThroughIt() throws IOException {
        try (JavaSshd gate = JavaSshd.start(directory.resolve("gate"));
                JavaSshd sshd = sshd();
                SshHost host = host("cluster", gate.block("gate") + sshd.block("cluster") + "    ProxyJump gate\n")) {
            assertWorks(host);
            assertThat(gate.logins()).isOne();
            assertThat(sshd.logins()).isOne();
            assertThat(host.nearest()).isEqualTo("127.0.0.1");
        }
    }

    @Test
    void jumpHostThatRefusesIsNamed() throws IOException {
        try (JavaSshd gate = JavaSshd.start(directory.resolve("gate"));
                JavaSshd sshd = sshd();
                SshHost host = host(
                        "cluster",
                        gate.block("gate").replaceFirst("IdentityFile .*", "IdentityFile " + sshd.key())
                                + sshd.block("cluster") + "    ProxyJump gate\n")) {
            assertThatThrownBy(() -> assertWorks(host))
                    .isInstanceOf(BackendException.class)
                    .hasMessageStartingWith(
                            "FBR-153 The jump host 'gate' (127.0.0.1:" + gate.port() + ") refuses the user '")
                    .hasMessageContaining("Keys that were offered: " + sshd.key());
        }
    }

    @Test
    void hostKeyMayBeHashedOrHaveAnAliasOrBeRevoked() throws IOException {
        try (JavaSshd sshd = sshd()) {
            Path known = directory.resolve("sshd/known_hosts");
            String right = Files.readString(known);
            Files.writeString(known, sshd.knownAs(hashed("[127.0.0.1]:" + sshd.port())));
            try (SshHost host = host(sshd.options())) {
                assertWorks(host);
            }
            Files.writeString(known, sshd.knownAs("the-cluster"));
            try (SshHost host = host("cluster", sshd.block("cluster") + "    HostKeyAlias the-cluster\n")) {
                assertWorks(host);
            }
            Files.writeString(known, "@revoked " + right);
            assertRefused(
                    sshd.options(),
                    "FBR-152 The login node '127.0.0.1' (127.0.0.1:" + sshd.port()
                            + ") shows a host key that is revoked",
                    known.toString());
        }
    }

    private static String hashed(String name) throws IOException {
        byte[] salt = new byte[20];
        try {
            javax.crypto.Mac mac = javax.crypto.Mac.getInstance("HmacSHA1");
            mac.init(new javax.crypto.spec.SecretKeySpec(salt, "HmacSHA1"));
            byte[] hash = mac.doFinal(name.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            java.util.Base64.Encoder encoder = java.util.Base64.getEncoder();
            return "|1|" + encoder.encodeToString(salt) + "|" + encoder.encodeToString(hash);
        } catch (java.security.GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    @Test
    void keyWithAPassphraseIsNamedAndNotUsed() throws IOException, com.jcraft.jsch.JSchException {
        try (JavaSshd sshd = sshd()) {
            com.jcraft.jsch.KeyPair pair = com.jcraft.jsch.KeyPair.load(
                    new com.jcraft.jsch.JSch(), sshd.key().toString());
            pair.writePrivateKey(
                    sshd.key().toString(), "a passphrase".getBytes(java.nio.charset.StandardCharsets.UTF_8));
            assertRefused(
                    sshd.options(),
                    "FBR-153 The login node '127.0.0.1'",
                    sshd.key() + " (not without its passphrase)",
                    "put a key with a passphrase into an agent (ssh-add)");
        }
    }

    @Test
    @Tag("slow")
    void hostThatSaysNothingIsGivenUpInTimeAlsoBehindAnother() throws IOException {
        try (JavaSshd gate = JavaSshd.start(directory.resolve("gate"));
                SilentHost silent = SilentHost.open();
                SshHost host = host(
                        "silent",
                        gate.block("gate") + "Host silent\n    HostName 127.0.0.1\n    Port " + silent.port()
                                + "\n    ProxyJump gate\n    ConnectTimeout 1\n")) {
            assertThatThrownBy(() -> assertWorks(host))
                    .isInstanceOf(io.fiber.spi.backend.BackendUnavailableException.class)
                    .hasMessageStartingWith("FBR-150 The login node 'silent' (127.0.0.1:" + silent.port() + ")")
                    .hasMessageContaining(" timed out after 1000 ms, as of a host that is switched off");
        }
    }
}
