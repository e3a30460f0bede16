// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.config;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the name that the user probably meant. Stateless. */
public final class Spelling {

    /** One error is allowed for this many letters, and always at least one. */
    private static final int LETTERS_PER_FAULT = 4;

    private Spelling() {}

    /**
     * Returns the candidate with the fewest errors, regardless of case; the first one if several have the same number.
     * Empty if all have too many to be a typing error.
     */
    public static Optional<String> nearest(String written, Collection<String> candidates) {
        String lower = written.toLowerCase(Locale.ROOT);
        int fewest = Math.max(1, written.length() / LETTERS_PER_FAULT) + 1;
        Optional<String> nearest = Optional.empty();
        for (String candidate : candidates) {
            int faults = distance(lower, candidate.toLowerCase(Locale.ROOT));
            if (faults < fewest) {
                fewest = faults;
                nearest = Optional.of(candidate);
            }
        }
        return nearest;
    }

    /** Counts missing, added, replaced and exchanged letters (Damerau and Levenshtein). */
    static int distance(String a, String b) {
        int[] beforeLast = new int[b.length() + 1];
        int[] last = new int[b.length() + 1];
        int[] current = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            last[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = last[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(replaced, Math.min(last[j], current[j - 1]) + 1);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    current[j] = Math.min(current[j], beforeLast[j - 2] + 1);
                }
            }
            int[] free = beforeLast;
            beforeLast = last;
            last = current;
            current = free;
        }
        return last[b.length()];
    }
}
