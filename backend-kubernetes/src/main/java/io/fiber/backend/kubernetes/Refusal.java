// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;

/** Thrown if the API server has answered and rejected the request. */
final class Refusal extends RuntimeException {

    private static final long serialVersionUID = 1L;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final String QUOTA = "exceeded quota";

    private final int status;
    private final String reason;

    Refusal(KubernetesClientException answer) {
        super(words(answer), answer);
        Status said = answer.getStatus();
        this.status = answer.getCode();
        this.reason = said == null ? "" : String.valueOf(said.getReason());
    }

    /** Returns the server's own words. */
    String words() {
        return String.valueOf(getMessage());
    }

    boolean isForbidden() {
        return status == FORBIDDEN;
    }

    boolean isNotFound() {
        return status == NOT_FOUND;
    }

    /** Returns whether an object of this name already exists. */
    boolean isAlreadyThere() {
        return reason.equals("AlreadyExists");
    }

    /** Returns whether the same request may be accepted later, for example if a quota is used up. */
    boolean isPassing() {
        return reason.equals("Conflict") || (status == FORBIDDEN && words().contains(QUOTA));
    }

    /** Returns whether the namespace does not exist, or is being removed. */
    boolean isNamespaceGone() {
        return (status == NOT_FOUND && words().contains("namespaces \""))
                || (status == FORBIDDEN && words().contains("is being terminated"));
    }

    private static String words(KubernetesClientException answer) {
        Status said = answer.getStatus();
        String words = said == null || said.getMessage() == null ? answer.getMessage() : said.getMessage();
        return String.valueOf(words).strip().replaceFirst("\\.$", "");
    }
}
