// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WorkerSpecsTest {

    @Test
    void emptyEntryOfTheClassPathIsTheWorkingDirectory() {
        String here = System.getProperty("user.dir");

        assertThat(WorkerSpecs.entriesOf("/a.jar:b.jar", false)).containsExactly("/a.jar", here + "/b.jar");
        assertThat(WorkerSpecs.entriesOf("/a.jar:", false)).containsExactly("/a.jar", here);
        assertThat(WorkerSpecs.entriesOf(":/a.jar::/b.jar", true)).containsExactly(here, "/a.jar", here, "/b.jar");
        assertThat(WorkerSpecs.entriesOf("", false)).containsExactly(here);
        assertThat(WorkerSpecs.entriesOf("", true)).isEmpty();
    }
}
