// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import io.fiber.spi.backend.BackendException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Reads the files {@code ca.pem}, {@code cert.pem} and {@code key.pem} of a directory, as Docker's own command does.
 * Without any of them, the JDK's defaults apply. Immutable.
 *
 * @param directory where they are
 */
record TlsFiles(Path directory) {

    private static final Pattern KEY = Pattern.compile("-----BEGIN ((?:RSA |EC )?)PRIVATE KEY-----([^-]+)-----END");
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");
    private static final char[] NO_PASSWORD = {};

    /** Tags of DER. */
    private static final int SEQUENCE = 0x30;

    private static final int OCTET_STRING = 4;

    /** Version 0, rsaEncryption without parameters. */
    private static final byte[] RSA_HEADER = {
        2, 1, 0, 0x30, 13, 6, 9, 42, (byte) 0x86, 72, (byte) 0x86, (byte) 0xf7, 13, 1, 1, 1, 5, 0
    };

    /** id-ecPublicKey; the curve follows. */
    private static final byte[] EC_ALGORITHM = {6, 7, 42, (byte) 0x86, 72, (byte) 0xce, 61, 2, 1};

    private static final byte[] PKCS8_VERSION = {2, 1, 0};

    /**
     * Returns the context that secures connections.
     *
     * @throws BackendException FBR-160 if a file cannot be read or has another format
     */
    SSLContext context() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(own(), NO_PASSWORD);
            TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trusted.init(Files.exists(directory.resolve("ca.pem")) ? authorities() : null);
            context.init(keys.getKeyManagers(), trusted.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new BackendException(
                    "FBR-160 The TLS files of Docker in " + directory + " cannot be used: "
                            + (e instanceof NoSuchFileException ? e.getMessage() + " is missing" : e.getMessage())
                            + ". Expected ca.pem, cert.pem and key.pem (without a passphrase), with which 'docker --tlsverify'"
                            + " works; DOCKER_CERT_PATH names another directory.",
                    e);
        }
    }

    private KeyStore authorities() throws IOException, GeneralSecurityException {
        KeyStore store = empty();
        for (Certificate each : certificates("ca.pem")) {
            store.setCertificateEntry("ca" + store.size(), each);
        }
        return store;
    }

    private KeyStore own() throws IOException, GeneralSecurityException {
        KeyStore store = empty();
        if (Files.exists(directory.resolve("cert.pem")) || Files.exists(directory.resolve("key.pem"))) {
            Certificate[] chain = certificates("cert.pem").toArray(Certificate[]::new);
            store.setKeyEntry("docker", key(Files.readString(directory.resolve("key.pem"))), NO_PASSWORD, chain);
        }
        return store;
    }

    private static KeyStore empty() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        return store;
    }

    private Collection<? extends Certificate> certificates(String file) throws IOException, GeneralSecurityException {
        try (var in = Files.newInputStream(directory.resolve(file))) {
            var found = CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (found.isEmpty()) {
                throw new CertificateException(file + " holds no certificate");
            }
            return found;
        }
    }

    private static PrivateKey key(String pem) throws GeneralSecurityException {
        Matcher found = KEY.matcher(pem);
        if (!found.find()) {
            throw new InvalidKeySpecException("key.pem holds no private key that can be read");
        }
        byte[] der = decoded(found.group(2));
        PKCS8EncodedKeySpec wrapped = new PKCS8EncodedKeySpec(
                switch (found.group(1)) {
                    case "RSA " -> Der.of(SEQUENCE, RSA_HEADER, Der.of(OCTET_STRING, der));
                    case "EC " ->
                        Der.of(
                                SEQUENCE,
                                PKCS8_VERSION,
                                Der.of(SEQUENCE, EC_ALGORITHM, Der.curveOf(der)),
                                Der.of(OCTET_STRING, der));
                    default -> der;
                });
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(wrapped);
            } catch (InvalidKeySpecException e) {
                // It is a key of another algorithm, or not a key.
            }
        }
        throw new InvalidKeySpecException("the private key in key.pem is none of " + ALGORITHMS);
    }

    private static byte[] decoded(String text) throws InvalidKeySpecException {
        try {
            return Base64.getMimeDecoder().decode(text.getBytes(StandardCharsets.US_ASCII));
        } catch (IllegalArgumentException e) {
            throw new InvalidKeySpecException("the private key in key.pem is not valid Base64", e);
        }
    }
}
