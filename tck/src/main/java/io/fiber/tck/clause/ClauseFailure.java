// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.clause;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a backend or a transport violates a clause. This need not be the clause whose test found it: if a test
 * about arguments never receives the job's end, the clause about the end is violated.
 */
public final class ClauseFailure extends AssertionError {
    private static final long serialVersionUID = 1L;

    private final String clauseId;

    /**
     * Creates the failure.
     *
     * @param clauseId the violated clause, such as {@code BKD-203}
     * @param seen what was seen instead, as a sentence
     */
    public ClauseFailure(String clauseId, String seen, @Nullable Throwable cause) {
        super(ClauseCatalog.describe(clauseId, seen), cause);
        this.clauseId = clauseId;
    }

    /** Creates the failure without a cause. */
    public ClauseFailure(String clauseId, String seen) {
        this(clauseId, seen, null);
    }

    /** Returns the number of the violated clause. */
    public String clauseId() {
        return clauseId;
    }
}
