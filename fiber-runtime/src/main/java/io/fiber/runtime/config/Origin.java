// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.config;

/**
 * Where a value was set.
 *
 * @param place the name or line in the source, as people find it; empty if the source is enough
 */
public record Origin(Source source, String place) {

    /** The kinds of sources, highest priority first. */
    public enum Source {
        /** A call of a builder in the program; if the program is a command, {@code place} names the option. */
        CODE,
        PROPERTY,
        ENVIRONMENT,
        FILE,
        MASTER,
        /** Not set; the key's own default applies. */
        DEFAULT
    }

    static final Origin OF_CODE = new Origin(Source.CODE, "");
    static final Origin OF_MASTER = new Origin(Source.MASTER, "");
    static final Origin OF_DEFAULT = new Origin(Source.DEFAULT, "");

    /** Returns the origin in words that fit after "from". */
    @Override
    public String toString() {
        return switch (source) {
            case CODE -> place.isEmpty() ? "the program's code" : place;
            case PROPERTY -> "-D" + place;
            case ENVIRONMENT -> "environment variable " + place;
            case FILE -> place;
            case MASTER -> "the master of this worker";
            case DEFAULT -> "the default";
        };
    }
}
