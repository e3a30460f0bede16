// SPDX-License-Identifier: Apache-2.0
package io.fiber;

/**
 * What becomes of the results that a {@linkplain CallOptions#journal journal} has recorded of a function whose code has
 * changed since.
 */
public enum ChangedCode {
    /** The call is rejected with FBR-583, which names the classes that have changed. */
    REJECT,
    /**
     * The results are taken all the same. Use it if the change makes no difference to them, and not for a lambda whose
     * class got or lost another lambda: the compiler numbers lambdas, so a name may mean another one now.
     */
    ACCEPT
}
