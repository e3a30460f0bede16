// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.relay;

import java.util.ArrayDeque;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/** What one worker has asked for. Belongs to the conductor. */
final class RelayCustomer {

    /** So many that have ended can still be asked for their lines; a worker may ask for any number in its life. */
    private static final int MOST_ENDED = 256;

    private final Long2ObjectHashMap<RelayedJobs> byRequest = new Long2ObjectHashMap<>();
    private final ArrayDeque<RelayedJobs> ended = new ArrayDeque<>();

    RelayedJobs add(long request) {
        RelayedJobs jobs = new RelayedJobs(request);
        byRequest.put(request, jobs);
        return jobs;
    }

    @Nullable
    RelayedJobs jobs(long request) {
        return byRequest.get(request);
    }

    void remove(RelayedJobs jobs) {
        byRequest.remove(jobs.request());
    }

    /** Something has become known of these, perhaps that all have ended. */
    void settle(RelayedJobs jobs) {
        if (jobs.areOver()) {
            ended.add(jobs);
            if (ended.size() > MOST_ENDED) {
                remove(ended.remove());
            }
        }
    }

    /** Nobody is left who wants any of it. */
    void abandon() {
        byRequest.values().forEach(RelayedJobs::abandon);
    }
}
