// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck;

import org.jspecify.annotations.Nullable;

/**
 * A clause of a contract was seen broken. The clause need not be the one whose test found it: a test about arguments that
 * never hears of the job's end blames the clause about the end.
 */
public final class ClauseFailure extends AssertionError {
    private static final long serialVersionUID = 1L;

    private final String clauseId;

    ClauseFailure(String clauseId, String seen, @Nullable Throwable cause) {
        super(ClauseCatalog.describe(clauseId, seen), cause);
        this.clauseId = clauseId;
    }

    ClauseFailure(String clauseId, String seen) {
        this(clauseId, seen, null);
    }

    /** Returns the number of the clause that is broken. */
    public String clauseId() {
        return clauseId;
    }
}
