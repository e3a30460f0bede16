// SPDX-License-Identifier: Apache-2.0
package io.fiber.page;

import io.fiber.Progress;
import io.fiber.ProgressListener;

/** Hears how far long calls are, for the pages that are open. Found by being on the class path. Thread-safe. */
public final class PageProgress implements ProgressListener {

    /** For the service loader. */
    public PageProgress() {}

    @Override
    public void onProgress(Progress progress) {
        LongCalls.tell(progress);
    }
}
