// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.remotejobs;

import java.util.ArrayDeque;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/** What one worker has asked for. Belongs to the conductor. */
final class RemoteJobClient {

    /** So many that have ended can still be asked for their lines; a worker may ask for any number in its life. */
    private static final int MOST_ENDED = 256;

    private final Long2ObjectHashMap<SubmittedJobs> byRequest = new Long2ObjectHashMap<>();
    private final ArrayDeque<SubmittedJobs> ended = new ArrayDeque<>();

    SubmittedJobs add(long request) {
        SubmittedJobs jobs = new SubmittedJobs(request);
        byRequest.put(request, jobs);
        return jobs;
    }

    @Nullable
    SubmittedJobs jobs(long request) {
        return byRequest.get(request);
    }

    void remove(SubmittedJobs jobs) {
        byRequest.remove(jobs.request());
    }

    /** Something has become known of these, perhaps that all have ended. */
    void settle(SubmittedJobs jobs) {
        if (jobs.areOver()) {
            ended.add(jobs);
            if (ended.size() > MOST_ENDED) {
                remove(ended.remove());
            }
        }
    }

    /** Nobody is left who wants any of it. */
    void abandon() {
        byRequest.values().forEach(SubmittedJobs::abandon);
    }
}
