// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pipe;

import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.ProcessContext;
import java.io.Serializable;

/**
 * The serialized form of a pipe's end.
 *
 * @param meeting the address of the rendezvous
 * @param side which end, 0 or 1
 */
record PipeHandle(ObjectAddress meeting, int side) implements Serializable {

    private Object readResolve() {
        return new PipeEnd<Object, Object>(ProcessContext.current().part(Pipes.class), this);
    }

    /** Returns for example {@code pipe 0.5/1002}, as in messages. */
    String describe() {
        return "pipe " + meeting;
    }
}
