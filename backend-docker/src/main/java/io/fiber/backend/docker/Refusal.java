// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.dockerjava.api.exception.DockerException;

/** Thrown if Docker has answered and rejected the request. */
final class Refusal extends RuntimeException {

    private static final long serialVersionUID = 1L;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final int NOT_IMPLEMENTED = 501;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final int status;

    Refusal(DockerException answer) {
        super(words(answer), answer);
        this.status = answer.getHttpStatus();
    }

    /** Returns Docker's own words. */
    String words() {
        return String.valueOf(getMessage());
    }

    boolean isNotFound() {
        return status == NOT_FOUND;
    }

    boolean isConflict() {
        return status == CONFLICT;
    }

    /** Returns whether the engine's own settings are the reason, for example a log driver that only writes. */
    boolean isNotOffered() {
        return status == NOT_IMPLEMENTED;
    }

    private static String words(DockerException answer) {
        // docker-java puts the status in front of Docker's answer.
        String text = String.valueOf(answer.getMessage())
                .replaceFirst("^Status \\d+: ", "")
                .strip();
        try {
            return JSON.readTree(text)
                    .path("message")
                    .asText(text)
                    .replace('\n', ' ')
                    .strip();
        } catch (JsonProcessingException e) {
            return text.replace('\n', ' ');
        }
    }
}
