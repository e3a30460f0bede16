// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.FiberException;
import io.fiber.PoolClosedException;
import io.fiber.PoolState;
import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.logging.Faults;
import io.fiber.runtime.pool.scheduling.Call;
import io.fiber.runtime.protocol.Messages.Running;
import java.util.function.Consumer;

/**
 * A call as its caller holds it. What cancels it is made with it, because later there may be no memory for that.
 * Thread-safe.
 */
final class CallHandle implements Runnable, Consumer<Throwable> {

    private final PoolDriver driver;
    private final Conductor conductor;
    private final Call call;
    private final Runnable cancellation;

    CallHandle(PoolDriver driver, Conductor conductor, Call call) {
        this.driver = driver;
        this.conductor = conductor;
        this.call = call;
        this.cancellation = () -> driver.machine.onCancel(call);
    }

    /** Hands the call to the conductor. */
    void begin() {
        if (!conductor.send(this)) {
            throw new PoolClosedException(driver.staff.name(), PoolState.TERMINATED);
        }
    }

    /** Gives the call to the pool. What the pool cannot take up, it cannot end either. Called by the conductor. */
    @Override
    public void run() {
        try {
            driver.machine.onCall(call);
        } catch (Throwable thrown) {
            Faults.tell(this, thrown);
            throw thrown;
        }
    }

    @Override
    public void accept(Throwable thrown) {
        call.sink().onBroken(driver.stopped(thrown));
    }

    /** Returns the command by which the pool is told that no item follows. */
    Runnable inputEnd() {
        return () -> driver.machine.onInputEnd(call);
    }

    void cancel() {
        conductor.execute(cancellation);
    }

    void cancel(Running running) {
        call.whenCancelled(running);
        cancel();
    }

    /** Cancels the call; who reads its answers gets this exception. */
    void breakOff(FiberException cause) {
        call.sink().onBroken(cause);
        cancel();
    }
}
