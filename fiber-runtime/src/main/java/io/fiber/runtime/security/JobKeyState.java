// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

/** What {@link JobKeys} knows of a job number. */
public enum JobKeyState {
    /** No key was made for it, or it was forgotten. */
    UNKNOWN,
    /** Its key was made and no worker has proven to hold it. */
    WAITING,
    /** Its key was accepted, and will not be again. */
    USED
}
