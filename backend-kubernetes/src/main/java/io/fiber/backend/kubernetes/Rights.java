// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fiber.backend.support.BackendThreads;
import io.fiber.spi.backend.BackendException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What this user must be allowed to do in the namespace, and whether it is. */
final class Rights {

    private static final Map<String, List<String>> NEEDED = needed();

    private Rights() {}

    private static Map<String, List<String>> needed() {
        Map<String, List<String>> rights = new LinkedHashMap<>();
        rights.put("pods", List.of("create", "get", "list", "watch", "delete", "deletecollection"));
        rights.put("pods/log", List.of("get"));
        rights.put("secrets", List.of("create", "delete", "deletecollection"));
        return rights;
    }

    /**
     * Asks whether everything that is needed is allowed.
     *
     * @throws BackendException FBR-171 with what is missing, and the role that has it
     */
    static void check(Cluster cluster, BackendThreads threads) {
        List<String> rights = new ArrayList<>();
        NEEDED.forEach((resource, verbs) -> verbs.forEach(verb -> rights.add(verb + " " + resource)));
        List<Callable<Boolean>> questions = new ArrayList<>();
        rights.forEach(right -> questions.add(() -> mayBeAllowed(cluster, right)));
        BackendThreads.Answers<Boolean> answers = threads.all(questions);
        answers.failure("The rights are not known").ifPresent(failure -> {
            throw failure;
        });
        List<String> missing = new ArrayList<>();
        for (int i = 0; i < rights.size(); i++) {
            if (!answers.given().get(i)) {
                missing.add(rights.get(i));
            }
        }
        if (!missing.isEmpty()) {
            Optional<Account> account = cluster.token().flatMap(Account::of);
            String namespace = cluster.namespace();
            throw new BackendException("FBR-171 This user lacks rights in namespace '" + namespace + "' at "
                    + cluster.url() + ", which the backend needs: " + String.join(", ", missing) + ". Apply this"
                    + (account.isPresent() ? "" : " with the name of its service account") + ":\n"
                    + role(namespace, account.orElse(new Account(namespace, "default"))));
        }
    }

    /** A service account. */
    record Account(String namespace, String name) {

        private static final Pattern SUBJECT =
                Pattern.compile("\"sub\"\\s*:\\s*\"system:serviceaccount:([^:\"]+):([^:\"]+)\"");

        private static final int PARTS_OF_A_TOKEN = 3;

        /** Returns the account that a JSON Web Token speaks for; empty when it is another token, or one of a person. */
        static Optional<Account> of(String token) {
            String[] parts = token.split("\\.", -1);
            if (parts.length != PARTS_OF_A_TOKEN) {
                return Optional.empty();
            }
            try {
                byte[] claims = Base64.getUrlDecoder().decode(parts[1]);
                Matcher subject = SUBJECT.matcher(new String(claims, StandardCharsets.UTF_8));
                return subject.find() ? Optional.of(new Account(subject.group(1), subject.group(2))) : Optional.empty();
            } catch (IllegalArgumentException e) {
                return Optional.empty();
            }
        }
    }

    private static boolean mayBeAllowed(Cluster cluster, String right) {
        try {
            return isAllowed(cluster, right);
        } catch (Refusal e) {
            // A user who may not even ask finds out by trying.
            System.getLogger(Rights.class.getName()).log(Level.DEBUG, "A right is not known.", e);
            return true;
        }
    }

    private static boolean isAllowed(Cluster cluster, String right) {
        String verb = right.substring(0, right.indexOf(' '));
        String[] parts = right.substring(right.indexOf(' ') + 1).split("/", 2);
        SelfSubjectAccessReview review = new SelfSubjectAccessReviewBuilder()
                .withNewSpec()
                .withNewResourceAttributes()
                .withNamespace(cluster.namespace())
                .withVerb(verb)
                .withResource(parts[0])
                .withSubresource(parts.length > 1 ? parts[1] : null)
                .endResourceAttributes()
                .endSpec()
                .build();
        return cluster.ask(client ->
                        client.authorization().v1().selfSubjectAccessReview().create(review))
                .getStatus()
                .getAllowed();
    }

    /** Returns a role with all that is needed, and its binding, as YAML. */
    static String role(String namespace, Account account) {
        StringBuilder yaml = new StringBuilder("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: Role
                metadata:
                  name: fiber
                  namespace: %1$s
                rules:
                """.formatted(namespace));
        NEEDED.forEach((resource, verbs) -> yaml.append("""
                - apiGroups: [""]
                  resources: [%s]
                  verbs: [%s]
                """.formatted(resource, String.join(", ", verbs))));
        return yaml.append("""
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: RoleBinding
                metadata:
                  name: fiber
                  namespace: %1$s
                roleRef:
                  apiGroup: rbac.authorization.k8s.io
                  kind: Role
                  name: fiber
                subjects:
                - kind: ServiceAccount
                  name: %2$s
                  namespace: %3$s
                """.formatted(namespace, account.name(), account.namespace()))
                .toString();
    }
}
