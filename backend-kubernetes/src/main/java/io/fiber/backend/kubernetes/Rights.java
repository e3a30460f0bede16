// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.api.model.authorization.v1.LocalSubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.LocalSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.ResourceAttributes;
import io.fabric8.kubernetes.api.model.authorization.v1.ResourceAttributesBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fiber.backend.support.BackendThreads;
import io.fiber.spi.backend.BackendException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import org.jspecify.annotations.Nullable;

/** The rights in the namespace that this user and the account of programs in pods need, and the check for them. */
final class Rights {

    private static final Map<String, List<String>> NEEDED = needed();

    /** The role includes the right to know what pods wait for, which is not needed. */
    private static final Map<String, List<String>> USEFUL = Map.of("events", List.of("list"));

    /** What a user needs in addition to start runs that the cluster starts again, and to manage them. */
    private static final Map<String, List<String>> OF_RESTARTS =
            Map.of("jobs.batch", List.of("create", "get", "list", "delete", "deletecollection"));

    private static final String ROLE = "fiber";

    private Rights() {}

    /** A right in the namespace, for example {@code get pods/log} or {@code create jobs.batch}. */
    private record Right(String verb, String resource) {

        /** Returns the resource without its API group. */
        String kind() {
            return resource.replaceFirst("\\..*", "");
        }

        /** Returns the API group; empty for the core group. */
        String group() {
            return resource.contains(".") ? resource.substring(resource.indexOf('.') + 1) : "";
        }

        @Override
        public String toString() {
            return verb + " " + resource;
        }
    }

    private static Map<String, List<String>> needed() {
        Map<String, List<String>> rights = new LinkedHashMap<>();
        rights.put("pods", List.of("create", "get", "list", "watch", "delete", "deletecollection"));
        rights.put("pods/log", List.of("get"));
        rights.put("secrets", List.of("create", "delete", "deletecollection"));
        return rights;
    }

    /**
     * Checks whether everything that is needed is allowed.
     *
     * @throws BackendException FBR-171 with the missing rights, and the role that has them
     */
    static void check(Cluster cluster, BackendThreads threads) {
        check(cluster, threads, NEEDED, List.of(NEEDED, USEFUL));
    }

    /**
     * Checks whether this user may have the cluster start programs again.
     *
     * @throws BackendException FBR-171 with the missing rights, and the role that has them
     */
    static void checkForRestarts(Cluster cluster, BackendThreads threads) {
        check(cluster, threads, OF_RESTARTS, List.of(NEEDED, OF_RESTARTS, USEFUL));
    }

    private static void check(
            Cluster cluster,
            BackendThreads threads,
            Map<String, List<String>> needed,
            List<Map<String, List<String>>> ofRole) {
        List<Right> missing = missing(threads, needed, right -> {
            try {
                return isAllowed(cluster, right);
            } catch (Refusal e) {
                // A user who may not even ask finds out by trying.
                System.getLogger(Rights.class.getName()).log(Level.DEBUG, "A right is not known.", e);
                return true;
            }
        });
        if (!missing.isEmpty()) {
            Optional<Subject> user = userOf(cluster, missing);
            String namespace = cluster.namespace();
            throw new BackendException("FBR-171 This user lacks rights in namespace '" + namespace + "' at "
                    + cluster.url() + ", which the backend needs: " + inWords(missing) + ". Apply this"
                    + (user.isPresent() ? "" : " with this user's name in place of NAME") + ":\n"
                    + role(Optional.of(namespace), user.orElse(new User("NAME")), ofRole));
        }
    }

    /**
     * Returns the current user: the impersonated one, that of the token or the certificate, otherwise the one that the API server names when
     * it rejects something.
     */
    private static Optional<Subject> userOf(Cluster cluster, List<Right> missing) {
        Optional<String> other = cluster.impersonated();
        if (other.isPresent()) {
            return other.map(Subject::of);
        }
        return cluster.token()
                .<Subject>flatMap(Account::of)
                .or(() -> cluster.certificate().flatMap(User::of))
                .or(() -> missing.stream()
                        .flatMap(right -> refusalOf(cluster, right).stream())
                        .flatMap(words -> Subject.named(words).stream())
                        .findFirst());
    }

    /** Tries what is not allowed, in a way that would change nothing, and returns the message of the rejection. */
    private static Optional<String> refusalOf(Cluster cluster, Right right) {
        String path = (right.group().isEmpty() ? "/api/v1" : "/apis/" + right.group() + "/v1") + "/namespaces/"
                + cluster.namespace() + "/" + right.kind();
        try {
            if (right.verb().equals("create")) {
                cluster.ask(client -> client.raw(path + "?dryRun=All", "POST", Map.of()));
            } else if (right.verb().equals("list")) {
                cluster.ask(client -> client.raw(path + "?limit=1", "GET", null));
            }
            return Optional.empty();
        } catch (Refusal e) {
            return Optional.of(e.words());
        } catch (BackendException e) {
            return Optional.empty();
        }
    }

    /** A user or account to which a role is bound. */
    sealed interface Subject {

        /** Matches a rejection by the API server. */
        Pattern REFUSED = Pattern.compile("User \"([^\"]+)\" cannot ");

        String name();

        /** Returns the entry of a role's binding, as YAML. */
        String yaml();

        /** Returns the subject that a rejection names. */
        static Optional<Subject> named(String refusal) {
            Matcher user = REFUSED.matcher(refusal);
            return user.find() && !user.group(1).equals("system:anonymous")
                    ? Optional.of(of(user.group(1)))
                    : Optional.empty();
        }

        private static Subject of(String user) {
            String[] parts = user.split(":", -1);
            return user.startsWith("system:serviceaccount:") && parts.length == 4
                    ? new Account(parts[2], parts[3])
                    : new User(user);
        }
    }

    /** A person or program for which the cluster keeps no account. */
    record User(String name) implements Subject {

        /** Returns the user of a client's certificate, which is its common name. */
        static Optional<Subject> of(X509Certificate certificate) {
            try {
                return new LdapName(certificate.getSubjectX500Principal().getName())
                        .getRdns().stream()
                                .filter(part -> part.getType().equalsIgnoreCase("CN"))
                                .findFirst()
                                .map(part -> new User(String.valueOf(part.getValue())));
            } catch (InvalidNameException e) {
                return Optional.empty();
            }
        }

        @Override
        public String yaml() {
            return """
                    - kind: User
                      name: "%s"
                      apiGroup: rbac.authorization.k8s.io
                    """.formatted(name.replace("\\", "\\\\").replace("\"", "\\\""));
        }
    }

    /** What is known about the accounts with which programs in pods create pods. */
    record Accounts(Cluster cluster, BackendThreads threads) {

        /** The account of {@code fiber setup kubernetes} if none is given. */
        static final String DEFAULT_OF_SETUP = "fiber";

        private static final String DEFAULT_OF_NAMESPACE = "default";

        /**
         * What was found about an account.
         *
         * @param lack why it cannot be used, if so
         * @param unknown the message of a rejection, if this user may not ask
         */
        private record Found(Optional<String> lack, Optional<String> unknown) {}

        /**
         * Returns the given account. If none was given, returns the namespace's default account if it is known to have
         * the rights, otherwise the one that {@code fiber setup kubernetes} creates if it exists.
         *
         * @throws BackendException FBR-182 if there is none that may have the rights; the message includes what this
         *     user may not ask
         */
        String ofPrograms(Optional<String> named) {
            if (named.isEmpty() && find(DEFAULT_OF_NAMESPACE).equals(new Found(Optional.empty(), Optional.empty()))) {
                return DEFAULT_OF_NAMESPACE;
            }
            Account account = new Account(cluster.namespace(), named.orElse(DEFAULT_OF_SETUP));
            Found found = find(account.name());
            found.lack().ifPresent(why -> {
                throw unusable(cluster.address(), account, why, null);
            });
            found.unknown()
                    .ifPresent(words -> System.getLogger(Rights.class.getName())
                            .log(
                                    Level.WARNING,
                                    "Whether the service account ''{0}'' of namespace ''{1}'' exists and has the"
                                            + " rights is not known, because this user may not ask ({2}). If it does"
                                            + " not, the program says so.",
                                    account.name(),
                                    account.namespace(),
                                    words));
            return account.name();
        }

        private Found find(String name) {
            List<String> refusals = new CopyOnWriteArrayList<>();
            try {
                if (!cluster.hasServiceAccount(name)) {
                    return new Found(Optional.of("does not exist"), Optional.empty());
                }
            } catch (Refusal e) {
                refusals.add(e.words());
            }
            Account account = new Account(cluster.namespace(), name);
            List<Right> missing = missing(threads, NEEDED, right -> {
                try {
                    return isAllowed(cluster, account, right);
                } catch (Refusal e) {
                    refusals.add(e.words());
                    return true;
                }
            });
            return new Found(
                    missing.isEmpty() ? Optional.empty() : Optional.of("lacks rights: " + inWords(missing)),
                    refusals.stream().findFirst());
        }
    }

    /**
     * Returns the exception for an account that programs cannot use.
     *
     * @param address the cluster in which it is
     */
    static BackendException unusable(ClusterAddress address, Account account, String why, @Nullable Refusal cause) {
        return new BackendException(
                "FBR-182 The service account '" + account.name() + "' of namespace '" + account.namespace() + "' " + why
                        + ". Programs in pods use it to make the pods of their workers. A user who may make roles"
                        + " there has to run: fiber setup kubernetes --namespace"
                        + " " + account.namespace() + " --service-account "
                        + account.name() + address.settings()
                        + "\nOtherwise name another account with --service-account of 'fiber run', or use --workers"
                        + " local, which runs the workers as processes in the program's pod.",
                cause);
    }

    private static List<Right> missing(
            BackendThreads threads, Map<String, List<String>> needed, Predicate<Right> isAllowed) {
        List<Supplier<Optional<Right>>> questions = new ArrayList<>();
        needed.forEach((resource, verbs) -> verbs.forEach(verb -> {
            Optional<Right> right = Optional.of(new Right(verb, resource));
            questions.add(() -> right.filter(isAllowed.negate()));
        }));
        BackendThreads.Answers<Optional<Right>> answers = threads.all(questions);
        answers.failure("The rights are not known").ifPresent(failure -> {
            throw failure;
        });
        return answers.given().stream().flatMap(Optional::stream).toList();
    }

    private static String inWords(List<Right> rights) {
        return rights.stream().map(Right::toString).collect(Collectors.joining(", "));
    }

    /** A service account. */
    record Account(String namespace, String name) implements Subject {

        private static final Pattern SUBJECT =
                Pattern.compile("\"sub\"\\s*:\\s*\"system:serviceaccount:([^:\"]+):([^:\"]+)\"");

        private static final int PARTS_OF_A_TOKEN = 3;

        /** Returns the account of a JSON Web Token; empty if it is another token, or that of a person. */
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

        @Override
        public String yaml() {
            return "- kind: ServiceAccount\n  name: " + name + "\n"
                    + (namespace.isEmpty() ? "" : "  namespace: " + namespace + "\n");
        }
    }

    private static boolean isAllowed(Cluster cluster, Right right) {
        SelfSubjectAccessReview review = new SelfSubjectAccessReviewBuilder()
                .withNewSpec()
                .withResourceAttributes(asked(cluster, right))
                .endSpec()
                .build();
        return cluster.ask(client ->
                        client.authorization().v1().selfSubjectAccessReview().create(review))
                .getStatus()
                .getAllowed();
    }

    private static boolean isAllowed(Cluster cluster, Account account, Right right) {
        String all = "system:serviceaccounts";
        LocalSubjectAccessReview review = new LocalSubjectAccessReviewBuilder()
                .withNewMetadata()
                .withNamespace(cluster.namespace())
                .endMetadata()
                .withNewSpec()
                .withUser("system:serviceaccount:" + account.namespace() + ":" + account.name())
                .withGroups(all, all + ":" + account.namespace(), "system:authenticated")
                .withResourceAttributes(asked(cluster, right))
                .endSpec()
                .build();
        return cluster.ask(client -> client.authorization()
                        .v1()
                        .localSubjectAccessReview()
                        .inNamespace(cluster.namespace())
                        .create(review))
                .getStatus()
                .getAllowed();
    }

    private static ResourceAttributes asked(Cluster cluster, Right right) {
        String[] parts = right.kind().split("/", 2);
        return new ResourceAttributesBuilder()
                .withNamespace(cluster.namespace())
                .withVerb(right.verb())
                .withGroup(right.group())
                .withResource(parts[0])
                .withSubresource(parts.length > 1 ? parts[1] : null)
                .build();
    }

    /**
     * Returns a service account with all needed rights, as YAML.
     *
     * @param namespace empty to let the user who applies it choose
     */
    static String manifest(Optional<String> namespace, String account) {
        return "apiVersion: v1\nkind: ServiceAccount\n" + metadata(namespace, account) + "---\n"
                + role(namespace, new Account(namespace.orElse(""), account));
    }

    /** Returns a role with all needed rights, and its binding, as YAML; each subject has a binding of its own. */
    static String role(Optional<String> namespace, Subject subject) {
        return role(namespace, subject, List.of(NEEDED, USEFUL));
    }

    private static String role(Optional<String> namespace, Subject subject, List<Map<String, List<String>>> ofRole) {
        StringBuilder yaml = new StringBuilder(
                "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\n" + metadata(namespace, ROLE) + "rules:\n");
        ofRole.forEach(rights -> rights.forEach((resource, verbs) -> {
            Right any = new Right("", resource);
            yaml.append("""
                    - apiGroups: ["%s"]
                      resources: [%s]
                      verbs: [%s]
                    """.formatted(any.group(), any.kind(), String.join(", ", verbs)));
        }));
        return yaml.append("---\napiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\n")
                .append(metadata(namespace, bindingOf(subject)))
                .append("""
                        roleRef:
                          apiGroup: rbac.authorization.k8s.io
                          kind: Role
                          name: %s
                        subjects:
                        """.formatted(ROLE))
                .append(subject.yaml())
                .toString();
    }

    private static String bindingOf(Subject subject) {
        return subject.name().equals(ROLE) ? ROLE : ROLE + "-" + subject.name().replaceAll("[^A-Za-z0-9.@_-]", "-");
    }

    private static String metadata(Optional<String> namespace, String name) {
        return "metadata:\n  name: " + name + "\n"
                + namespace.map(each -> "  namespace: " + each + "\n").orElse("");
    }
}
