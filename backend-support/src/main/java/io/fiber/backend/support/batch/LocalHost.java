// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import java.nio.file.Path;
import java.util.List;

/** The host of this process. */
record LocalHost(NotedCommands commands, LocalCommands programs, Path directory) implements BatchHost {

    @Override
    public SharedFiles files() {
        return new LocalFiles();
    }

    @Override
    public List<String> atDeath(List<String> words) {
        return programs.resolved(words);
    }

    @Override
    public void later(List<String> words) {
        programs.runLater(programs.resolved(words));
    }
}
