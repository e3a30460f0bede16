// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import io.fiber.spi.OptionKey;
import io.fiber.spi.OptionType;
import io.fiber.spi.Options;

/** What happens to the objects of failed jobs on the platform, according to the option {@code keep-failed}. */
public enum FailedJobs {
    /** They are removed, like those of other jobs. */
    REMOVED,
    /** They stay until the user removes them. */
    KEPT;

    private static final String KEY = "keep-failed";

    /**
     * Returns the option's key.
     *
     * @param things what a job is on the platform, for example {@code pods}
     */
    public static OptionKey option(String things) {
        return OptionKey.of(
                KEY, OptionType.SWITCH, "false", "whether " + things + " of failed jobs are kept for you to examine");
    }

    /** Returns the option's value. */
    public static FailedJobs of(Options options) {
        return options.isOn(KEY).orElse(false) ? KEPT : REMOVED;
    }
}
