// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says what a task or the program of a process needs of the machine that runs it. It is read where the task is submitted:
 * on the method behind a method reference, on the method that a lambda calls and nothing else, or on the class of a task that
 * is a class of its own.
 *
 * <pre>{@code
 * @Meta(cpus = 2, memory = "4g", gpus = 1)
 * static Score score(Candidate candidate) { ... }
 *
 * pool.map(Model::score, candidates);                 // workers of two processors, 4 GiB and a GPU
 * pool.map(c -> Model.score(c), candidates);          // the same
 * pool.map(c -> Model.score(c.grown(2)), candidates); // the lambda does more: nothing is known, and a warning says so
 * }</pre>
 *
 * <p>A lambda has the needs of a method if it calls this method alone: its arguments may be computed from what the lambda is
 * given or captures, from fields and constants, but not by other calls, branches or new objects. One that does more has none,
 * and when it calls such a method directly, a warning (FBR-485) says so once for each place. Both are read from the class
 * file of the lambda; where there is none, as of classes that were defined at run time, a lambda has no needs and nothing is
 * said.
 *
 * <p>{@link CallOptions#resources} of a call comes before it, and so does {@link JobBuilder#resources} of a process
 * or a ring. A pool gives all of its workers the same: one with {@link JobBuilder#resources} refuses a function whose
 * {@code @Meta} says something else (FBR-480).
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Meta {

    /** Returns how many processors, also fractions; above 0. Left out: nothing is said. */
    double cpus() default 0;

    /** Returns how much memory, for example {@code "512m"} or {@code "4g"} (powers of 1024). Left out: nothing is said. */
    String memory() default "";

    /** Returns how many GPUs. Left out: none. */
    int gpus() default 0;
}
