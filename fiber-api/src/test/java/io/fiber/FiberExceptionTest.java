// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FiberExceptionTest {

    @Test
    void codeIsWhatTheMessageBeginsWith() {
        assertThat(new FiberException("FBR-102 Unknown backend 'x'.").code()).contains("FBR-102");
        assertThat(new BackendSelectionException("FBR-101", null).code()).contains("FBR-101");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "FBR-", "FBR-1x2 no", "Something FBR-102", "FBR-12"})
    void messageWithoutCodeHasNone(String message) {
        assertThat(new ConfigurationException(message).code()).isEmpty();
    }
}
