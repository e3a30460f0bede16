// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.spec.Secret;
import java.security.SecureRandom;
import org.junit.jupiter.api.Test;

class JobKeyTest {

    @Test
    void eachJobGetsAKeyOfItsOwn() {
        SecureRandom random = new SecureRandom();
        JobKey first = JobKey.random(random);

        assertThat(first).isNotEqualTo(JobKey.random(random));
        assertThat(first.secret().length()).isEqualTo(JobKey.LENGTH_BYTES);
        assertThat(new JobKey(first.secret())).isEqualTo(first).hasSameHashCodeAs(first);
    }

    @Test
    void aKeyOfAnotherLengthIsRefused() {
        assertThatThrownBy(() -> new JobKey(Secret.of(new byte[31])))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("A job key of 31 bytes came with the bootstrap; it must have 32."
                        + " Start the worker with the bootstrap its master wrote, unchanged.");
    }
}
