// SPDX-License-Identifier: Apache-2.0
package io.fiber.page;

import io.fiber.Progress;
import io.fiber.ProgressListener;

/** Passes the progress of long calls on to the open pages. Being on the class path is enough. Thread-safe. */
public final class PageProgress implements ProgressListener {

    /** Creates the listener, for the service loader. */
    public PageProgress() {}

    @Override
    public void onProgress(Progress progress) {
        LongCalls.tell(progress);
    }
}
