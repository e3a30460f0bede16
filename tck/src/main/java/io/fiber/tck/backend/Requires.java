// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.backend;

import io.fiber.spi.backend.Capability;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Limits a clause to some backends; for others its test is skipped, with the reason in the report. */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Requires {

    /** Returns what the backend must declare; nothing by default. */
    Capability[] value() default {};

    /** Returns what the backend must not declare; nothing by default. */
    Capability[] absent() default {};
}
