// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.host;

/** The kinds of objects that a manager creates. */
public enum Kind {
    LIST,
    MAP,
    NAMESPACE,
    VALUE,
    ARRAY,
    QUEUE,
    JOINABLE_QUEUE,
    LOCK,
    REENTRANT_LOCK,
    CONDITION,
    SEMAPHORE,
    EVENT,
    BARRIER,
    BARRIER_WITH_ACTION,
    /** An object of the program behind an interface. */
    SHARED,
    /** An object of the program on which functions run. */
    ASYNC
}
