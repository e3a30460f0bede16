// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.clause;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;

/**
 * Marks the test of one numbered clause of a contract. The test's name shows the clause, and the message of a failure
 * repeats it with {@link #check}.
 */
@Documented
@Test
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Clause {

    /**
     * The tag of tests that wait for most of a minute, on platforms that are slow by nature; other tests may run at the
     * same time.
     */
    String WAITS = "waits";

    /** The tag of tests that take the platform's room for jobs; no other test may run at the same time. */
    String DISTURBS = "disturbs";

    /** Returns the clause's number: {@code BKD-nnn} or {@code TRN-nnn}. */
    String id();

    /** Returns the clause as one sentence. */
    String says();

    /** Returns what to check if the test fails; it completes "If this fails, check ...". */
    String check();
}
