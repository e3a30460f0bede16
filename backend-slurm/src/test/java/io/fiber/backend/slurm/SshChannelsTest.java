// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.jcraft.jsch.JSchException;
import org.junit.jupiter.api.Test;

class SshChannelsTest {

    @Test
    void sessionThatEndsInTheMiddleOfACallIsNoNullPointer() {
        assertThatThrownBy(() -> SshChannels.called(() -> {
                    throw new NullPointerException("io");
                }))
                .isInstanceOf(JSchException.class)
                .hasMessage("the session has ended meanwhile")
                .hasNoCause();
    }
}
