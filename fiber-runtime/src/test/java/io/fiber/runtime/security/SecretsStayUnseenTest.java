// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spec.Secret;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class SecretsStayUnseenTest {

    @Test
    void noTextShowsASecret() {
        byte[] bytes = new byte[32];
        Arrays.fill(bytes, (byte) 0xAB);
        Secret secret = Secret.of(bytes);
        JobKey jobKey = new JobKey(secret);
        PayloadKey payloadKey = PayloadKey.consume(bytes.clone());
        ConnectionKeys keys = new ConnectionKeys(secret, Role.WORKER);
        FrameKey frameKey = new FrameKey(Arrays.copyOf(bytes, FrameKey.LENGTH_BYTES));

        List<Object> all = List.of(
                jobKey,
                payloadKey,
                keys,
                keys.seal(1),
                frameKey,
                new Admission(keys, payloadKey, bytes),
                new PayloadSeal(payloadKey, 1));
        assertThat(new MasterHandshake.Welcome(payloadKey, bytes)).asString().doesNotContain("-85");
        for (Object one : all) {
            assertThat(one.toString())
                    .as(one.getClass().getSimpleName())
                    .doesNotContainIgnoringCase("abababab")
                    .doesNotContain("-85");
        }
    }

    @Test
    void bytesThatBecomeAKeyAreOverwritten() {
        byte[] bytes = new byte[32];
        Arrays.fill(bytes, (byte) 0xAB);
        PayloadKey.consume(bytes);
        assertThat(bytes).containsOnly(0);
    }
}
