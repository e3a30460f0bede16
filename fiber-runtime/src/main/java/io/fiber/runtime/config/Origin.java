// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.config;

/**
 * Where a value was written.
 *
 * @param place the name or line in that place, as a person finds it; empty where the source says it all
 */
public record Origin(Source source, String place) {

    /** The kinds of places, those that win first. */
    public enum Source {
        /** A call of a builder in the program; where that is a command, the option that {@code place} names. */
        CODE,
        PROPERTY,
        ENVIRONMENT,
        FILE,
        MASTER,
        /** Nothing was written; the key's own default holds. */
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
