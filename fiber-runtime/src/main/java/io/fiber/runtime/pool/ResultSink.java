// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.runtime.pool.scheduling.Answer;

/** What the results of a call become. Used by one thread at a time. */
interface ResultSink {

    /**
     * Takes the results of a block. Those of one call come in any order, each once.
     *
     * @throws RuntimeException what is wrong with the first that has failed, or cannot be taken
     */
    void add(Answer.Block block, ResultReader reader);
}
