// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.machines;

/** A flag for which threads wait. */
public final class EventMachine extends LinedMachine {

    private boolean isSet;

    @Override
    boolean answers(SyncCall call) {
        switch (call.operation()) {
            case SET, CLEAR -> {
                isSet = call.operation() == Operation.SET;
                call.reply(Outcome.DONE);
            }
            case IS_SET -> call.reply(Outcome.DONE, isSet ? 1 : 0);
            case WAIT -> {
                if (!isSet) {
                    return false;
                }
                call.reply(Outcome.DONE);
            }
            default -> call.reply(Outcome.UNKNOWN_OPERATION);
        }
        return true;
    }
}
