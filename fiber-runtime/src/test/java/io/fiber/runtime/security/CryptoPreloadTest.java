// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import static org.assertj.core.api.Assertions.assertThatCode;

import io.fiber.runtime.security.HandshakeTerms.Exposure;
import java.security.SecureRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CryptoPreloadTest {

    @ParameterizedTest
    @EnumSource(Exposure.class)
    void canRunMoreThanOnce(Exposure exposure) {
        CryptoPreload preload = new CryptoPreload(exposure, new SecureRandom());
        assertThatCode(preload::run).doesNotThrowAnyException();
        assertThatCode(preload::run).doesNotThrowAnyException();
    }
}
