// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.JobRejectedException;
import org.junit.jupiter.api.Test;

/** Each text of a backend begins with a code: Fiber's, the backend's own, or FBR-139. */
class BackendExceptionTest {

    @Test
    void codeOfFiberStays() {
        assertThat(new JobRejectedException("FBR-131 Slurm refused the job."))
                .hasMessage("FBR-131 Slurm refused the job.")
                .extracting(BackendException::code)
                .isEqualTo("FBR-131");
    }

    @Test
    void codeOfAnotherBackendStays() {
        assertThat(new BackendException("PBS-17 The queue is closed."))
                .hasMessage("PBS-17 The queue is closed.")
                .extracting(BackendException::code)
                .isEqualTo("PBS-17");
    }

    @Test
    void textWithoutACodeGetsOne() {
        assertThat(new BackendException("The queue is closed."))
                .hasMessage("FBR-139 The queue is closed.")
                .extracting(BackendException::code)
                .isEqualTo("FBR-139");
    }
}
