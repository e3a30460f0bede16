// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FiberExceptionTest {

    @Test
    void codeIsWhatTheMessageBeginsWith() {
        assertThat(new FiberException("FBR-102 Unknown backend 'x'.").code()).isEqualTo("FBR-102");
        assertThat(new FiberException("FBR-999 \n").code()).isEqualTo("FBR-999");
    }

    @Test
    void codeThatIsGivenApartStandsInFrontOfTheMessage() {
        IllegalStateException cause = new IllegalStateException();
        FiberException exception = new FiberException("FBR-405", "The items could not be read.", cause);

        assertThat(exception).hasMessage("FBR-405 The items could not be read.").hasCause(cause);
        assertThat(exception.code()).isEqualTo("FBR-405");
        assertThat(new FiberException("FBR-405", "No.").code()).isEqualTo("FBR-405");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "FBR-",
                "FBR-12",
                "FBR-102",
                "FBR-1x2 no",
                "FBR-/12 no",
                "FBR-12: no",
                "fbr-102 no",
                "Say FBR-102"
            })
    void messageWithoutCodeIsRefused(String message) {
        assertThatThrownBy(() -> new FiberException(message))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The message '" + message + "' does not begin with a code FBR-nnn.");
        assertThatThrownBy(() -> new FiberException(message, new IllegalStateException()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void wrongCodeThatIsGivenApartIsRefused() {
        assertThatThrownBy(() -> new FiberException("FBR-1", "no"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'FBR-1 no'");
    }
}
