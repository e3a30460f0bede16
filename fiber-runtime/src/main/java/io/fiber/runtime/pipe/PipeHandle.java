// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pipe;

import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.ProcessContext;
import java.io.Serializable;

/**
 * An end of a pipe as it travels.
 *
 * @param meeting where the two ends meet
 * @param side which end, 0 or 1
 */
record PipeHandle(ObjectAddress meeting, int side) implements Serializable {

    private Object readResolve() {
        return new PipeEnd<Object, Object>(ProcessContext.current().part(Pipes.class), this);
    }

    /** Returns for example {@code pipe 0.5/1002}, as messages name it. */
    String describe() {
        return "pipe " + meeting;
    }
}
