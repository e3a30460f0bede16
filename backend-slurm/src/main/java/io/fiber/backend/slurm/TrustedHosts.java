// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import com.jcraft.jsch.HostKey;
import com.jcraft.jsch.HostKeyRepository;
import com.jcraft.jsch.UserInfo;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** The file of trusted host keys, which is only read; remembers the key that was shown last. Belongs to one connection. */
final class TrustedHosts implements HostKeyRepository {

    private final HostKeyRepository file;
    private byte @Nullable [] shown;

    TrustedHosts(HostKeyRepository file) {
        this.file = file;
    }

    @Override
    public int check(String host, byte[] key) {
        shown = key.clone();
        return file.check(host, key);
    }

    /** Returns type and fingerprint of the key that the host has shown, as OpenSSH writes them. */
    String fingerprint() {
        byte[] key = shown;
        if (key == null) {
            return "unknown";
        }
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(key);
            return type(key) + " SHA256:" + Base64.getEncoder().withoutPadding().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A key begins with the length of its type, and the type. */
    private static String type(byte[] key) {
        ByteBuffer bytes = ByteBuffer.wrap(key);
        byte[] type = new byte[Math.max(0, Math.min(bytes.getInt(), bytes.remaining()))];
        bytes.get(type);
        return new String(type, StandardCharsets.US_ASCII);
    }

    @Override
    public void add(HostKey key, UserInfo user) {
        // Trust is the user's to give.
    }

    @Override
    public void remove(String host, String type) {
        // As above.
    }

    @Override
    public void remove(String host, String type, byte[] key) {
        // As above.
    }

    @Override
    public String getKnownHostsRepositoryID() {
        return file.getKnownHostsRepositoryID();
    }

    @Override
    public HostKey[] getHostKey() {
        return file.getHostKey();
    }

    @Override
    public HostKey[] getHostKey(String host, String type) {
        return file.getHostKey(host, type);
    }
}
