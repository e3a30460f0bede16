// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import org.jspecify.annotations.Nullable;

/** Something that a simulation found not to be as it must. */
public final class BrokenPromise extends AssertionError {

    private static final long serialVersionUID = 1L;

    private final long seed;
    private final String what;
    private final String story;

    BrokenPromise(long seed, String what, String story, @Nullable Throwable cause) {
        super("Seed " + seed + ": " + what, cause);
        this.seed = seed;
        this.what = what;
        this.story = story;
    }

    /** Returns the seed that repeats it. */
    public long seed() {
        return seed;
    }

    /** Returns which promise it is, in one line. */
    public String what() {
        return what;
    }

    /** Returns what happened before. */
    public String story() {
        return story;
    }
}
