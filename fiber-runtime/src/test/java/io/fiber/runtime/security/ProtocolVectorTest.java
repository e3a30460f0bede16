// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.protocol.HeaderSeal;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.security.HandshakeMessage.Challenge;
import io.fiber.runtime.security.HandshakeMessage.Hello;
import io.fiber.spec.Secret;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/**
 * Holds the bytes of the protocol fixed. The expected values come from another implementation, written in Python after
 * {@code docs/security-protocol.md}; when one of them changes, so must the protocol's version.
 */
class ProtocolVectorTest {

    private static final HandshakeTerms TERMS = new HandshakeTerms(1, "abcdefghijkl", 42, false);

    private final JobKey jobKey = new JobKey(Secret.of(range(0, 32)));
    private final Hello hello = new Hello(1, 42, range(32, 32));
    private final Transcript transcript = new Transcript(TERMS, hello.workerNonce(), range(64, 32), jobKey);

    @Test
    void proofs() {
        assertThat(transcript.proof(Role.MASTER))
                .isEqualTo(hex("21bdae144f8f7eab07f4131b1cdfe800e4add9fcef3e5bdc84f943695ad78731"));
        assertThat(transcript.proof(Role.WORKER))
                .isEqualTo(hex("f581e8af99666ab569f6454c60b7e2fea8c46bb1ea0078a7e812d7ad370d42c6"));
    }

    @Test
    void theKeyOfAManagersDoor() {
        assertThat(JobKey.derived(Secret.of(range(0, 16)), "fiber/1 manager door")
                        .secret()
                        .copyBytes())
                .isEqualTo(hex("b2f78fc8ec079384d236489afd188f1d6d1bb3f8cf5eca1022dc15f19f271e1f"));
    }

    @Test
    void theChallengeOfAMasterWithTheseNonces() {
        JobKey made = JobKey.random(new FixedRandom(0));
        MasterEnd master = new MasterEnd(
                new MasterHandshake(TERMS, made, new FixedRandom(64)), PayloadKey.consume(range(96, 32)), new byte[0]);

        assertThat(master.onHello(hello)).isInstanceOfSatisfying(HandshakeStep.Next.class, next -> {
            Challenge challenge = (Challenge) next.value();
            assertThat(challenge.masterNonce()).isEqualTo(range(64, 32));
            assertThat(challenge.masterProof()).isEqualTo(transcript.proof(Role.MASTER));
        });
    }

    @Test
    void welcome() {
        byte[] plain = Arrays.copyOf(range(96, 32), 40);
        System.arraycopy("settings".getBytes(US_ASCII), 0, plain, 32, 8);
        byte[] sealed = hex("e2e49f7f4aec0050c3245219277c8c7dd8666c4d16e6364258c7898d9a5118a3c41ee53350d7a521"
                + "af20a75334cbdd30428c74f2b73789e59fe09aa97517812e8c57b7751aa60bf4");

        assertThat(transcript.sealWelcome(plain)).isEqualTo(sealed);
        assertThat(transcript.openWelcome(sealed)).isEqualTo(plain);
    }

    @Test
    void frames() {
        HeaderSeal fromMaster = transcript.keys(Role.MASTER).seal(7);
        assertThat(sealed(fromMaster)).isEqualTo(hex("8db76c93a5269aaa5e7e56d355a56553b923613ddc78"));
        assertThat(sealed(fromMaster)).isEqualTo(hex("c0b59cb6d67c7543edd38d1a29d1730fd28a0749c304"));
        HeaderSeal fromWorker = transcript.keys(Role.WORKER).seal(7);
        assertThat(sealed(fromWorker)).isEqualTo(hex("7bca77cb2b1c80c0494216cfef62a2f094f667bc5c51"));
        assertThat(sealed(fromWorker)).isEqualTo(hex("ebaad0947bdca032c3c9f0be01e1a828d74c5cee506c"));
    }

    @Test
    void payloads() throws SealException {
        PayloadSeal sealer = new PayloadSeal(PayloadKey.consume(range(96, 32)), 5);
        SealedPayload payload = sealer.seal(Payload.of("payload".getBytes(US_ASCII)));
        assertThat(payload.bytes().toArray()).isEqualTo(hex("a3da099e594a7c057eb8bb83cd71c4b86df09f735acd07"));
    }

    private static byte[] sealed(HeaderSeal seal) {
        byte[] frame = Arrays.copyOf("secret".getBytes(US_ASCII), 22);
        seal.seal(frame, 0, 6);
        return frame;
    }

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text);
    }

    private static byte[] range(int first, int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) (first + i);
        }
        return bytes;
    }

    /** Gives bytes that count up. */
    private static final class FixedRandom extends java.security.SecureRandom {
        private static final long serialVersionUID = 1L;
        private final int first;

        FixedRandom(int first) {
            this.first = first;
        }

        @Override
        public void nextBytes(byte[] bytes) {
            System.arraycopy(range(first, bytes.length), 0, bytes, 0, bytes.length);
        }
    }
}
