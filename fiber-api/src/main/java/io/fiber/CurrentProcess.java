// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.util.List;
import java.util.Optional;

/** The identity of the calling process within the program. {@link Fiber#currentProcess} returns it. Immutable. */
public interface CurrentProcess {

    /** Returns the name in the program, for example {@code p1-sweep-3}; {@code main} for the process that opened the first session. */
    String name();

    /** Returns the process id as counted by its own host or container. */
    String id();

    /** Returns the name of the process that started this one; empty for the main process. */
    Optional<String> parent();

    /**
     * Returns the names of the GPUs that this process may use, in the order in which CUDA or ROCm counts them: numbers or
     * UUIDs of the host, from {@code CUDA_VISIBLE_DEVICES} or {@code ROCR_VISIBLE_DEVICES}. The backends {@code local} and {@code
     * slurm} set the variable if a process was given GPUs. Within this process, CUDA counts them from 0. A container sees only
     * its own GPUs, usually without a variable; then the list is empty.
     */
    List<String> gpus();
}
