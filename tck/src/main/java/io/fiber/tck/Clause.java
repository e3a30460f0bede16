// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;

/**
 * Marks the test of one numbered clause of a contract. The test's name shows the clause, a failure's text repeats it
 * with {@link #check}.
 */
@Documented
@Test
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Clause {

    /** The tag of tests that wait for most of a minute, on platforms that are slow by nature; they may run beside others. */
    String WAITS = "waits";

    /** The tag of tests that take away the places of jobs on the platform; no other test may run beside them. */
    String DISTURBS = "disturbs";

    /** Returns the clause's number: {@code BKD-nnn} or {@code TRN-nnn}. */
    String id();

    /** Returns the clause as one sentence. */
    String says();

    /** Returns where to look when the test fails; it completes "If this fails, check ...". */
    String check();
}
