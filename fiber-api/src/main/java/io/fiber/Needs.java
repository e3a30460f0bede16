// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares what a task or the program of a process needs of its machine. Fiber reads the annotation where the task is
 * submitted: on the method of a method reference, on the method that a lambda calls if it does nothing else, or on the
 * class of a task that has its own class.
 *
 * <pre>{@code
 * @Needs(cpus = 2, memory = "4g", gpus = 1)
 * static Score score(Candidate candidate) { ... }
 *
 * pool.map(Model::score, candidates);                 // workers of two processors, 4 GiB and a GPU
 * pool.map(c -> Model.score(c), candidates);          // the same
 * pool.map(c -> Model.score(c.grown(2)), candidates); // the lambda does more: nothing is known, and a warning says so
 * }</pre>
 *
 * <p>A lambda has the needs of a method if it calls only that method. Its arguments may be computed from the lambda's
 * parameters, captured values, fields and constants, but not by other calls, branches or new objects. A lambda that
 * does more has no needs. If it calls an annotated method directly, a warning says so once for each place (FBR-485).
 * Fiber finds this in the class file of the lambda. Without a class file, as for classes that were defined at run time,
 * a lambda has no needs and there is no warning.
 *
 * <p>{@link CallOptions#resources} overrides the annotation for a call, and {@link JobBuilder#resources} for a process
 * or a ring. All workers of a pool have the same resources: if a pool has {@link JobBuilder#resources}, it rejects a
 * function whose {@code @Needs} differs (FBR-480).
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Needs {

    /** Returns the number of processors, which may be a fraction; greater than 0. Unspecified by default. */
    double cpus() default 0;

    /** Returns the memory, for example {@code "512m"} or {@code "4g"}, in powers of 1024. Unspecified by default. */
    String memory() default "";

    /** Returns the number of GPUs. None by default. */
    int gpus() default 0;
}
