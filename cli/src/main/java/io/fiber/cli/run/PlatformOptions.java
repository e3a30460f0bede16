// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.run;

import io.fiber.FiberException;
import io.fiber.runtime.config.ConfigKey;
import io.fiber.spec.Volume;
import io.fiber.spi.OptionKey;
import io.fiber.spi.Options;
import io.fiber.spi.backend.BackendProvider;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** Options of {@code sbatch} and of pods. Each sets the backend's option of that name, if there is one. */
public final class PlatformOptions {

    private static final String SERVICE_ACCOUNT = "service-account";
    private static final String WORKERS = "workers";
    private static final String LOCAL = "local";
    /** By convention, the option of a backend whose jobs can receive the right to submit jobs. */
    private static final String JOBS_SUBMIT = "jobs-submit";

    @Option(
            names = {"-p", "--partition"},
            paramLabel = "NAME",
            description = "The partition of the job. This and the next five options are those of 'sbatch'.")
    private Optional<String> partition = Optional.empty();

    @Option(
            names = {"-A", "--account"},
            paramLabel = "NAME",
            description = "The account that is charged for the job.")
    private Optional<String> account = Optional.empty();

    @Option(
            names = {"-q", "--qos"},
            paramLabel = "NAME",
            description = "The quality of service.")
    private Optional<String> qos = Optional.empty();

    @Option(
            names = {"-C", "--constraint"},
            paramLabel = "FEATURES",
            description = "The features that the job's nodes must have.")
    private Optional<String> constraint = Optional.empty();

    @Option(names = "--gres", paramLabel = "LIST", description = "Generic resources other than GPUs.")
    private Optional<String> gres = Optional.empty();

    @Option(
            names = {"-N", "--nodes"},
            paramLabel = "N",
            description = "How many nodes the job has. The program starts on the first node, its workers start on all"
                    + " of them.")
    private Optional<String> nodes = Optional.empty();

    @Option(
            names = "--" + SERVICE_ACCOUNT,
            paramLabel = "NAME",
            description =
                    "On Kubernetes, the account with which the program creates the pods of its own workers. Default:"
                            + " the default account of the namespace if it has the rights, otherwise 'fiber'.")
    private Optional<String> serviceAccount = Optional.empty();

    @Option(
            names = "--" + WORKERS,
            paramLabel = "WHERE",
            description =
                    "How the program's own workers run: 'local' for processes beside the program, or the name of the"
                            + " backend for jobs of it, for which the program gets the rights. On Docker, these are"
                            + " as good as root's. Default: pods on Kubernetes, local on Docker.")
    private Optional<String> workers = Optional.empty();

    /** Creates options that request nothing. */
    public PlatformOptions() {}

    /**
     * Returns the options of a backend, overridden by those of the command line.
     *
     * @throws FiberException FBR-567 if the backend has no such option, FBR-530 if a value cannot be parsed or the
     *     program's workers cannot have that form
     */
    public Options over(Options settings, BackendProvider provider) {
        List<Options.Value> values = new ArrayList<>();
        named().forEach((name, text) -> text.ifPresent(value -> values.add(value(key(name, provider), value))));
        if (areJobs(provider)) {
            values.add(submitting(WORKERS, provider));
        } else if (serviceAccount.isPresent()) {
            values.add(submitting(SERVICE_ACCOUNT, provider));
        }
        values.addAll(settings.values());
        return Options.of(values);
    }

    private static Options.Value value(OptionKey key, String text) {
        if (!key.type().accepts(text)) {
            throw new FiberException(
                    "FBR-530",
                    "An option of this command cannot be read: --" + key.name() + " is '" + text + "'; expected "
                            + key.type().expectation() + ".");
        }
        return new Options.Value(key, text, "--" + key.name());
    }

    private static Options.Value submitting(String option, BackendProvider provider) {
        return new Options.Value(key(JOBS_SUBMIT, option, provider), "true", "--" + option);
    }

    private boolean areJobs(BackendProvider provider) {
        if (workers.isEmpty() || (workers.get().equals(LOCAL) && serviceAccount.isEmpty())) {
            return false;
        }
        if (!workers.get().equals(provider.name())) {
            throw new FiberException(
                    "FBR-530",
                    "An option of this command cannot be read: --workers is '" + workers.get() + "'; expected '"
                            + provider.name() + "', the backend of the program, or, without --service-account,"
                            + " 'local'.");
        }
        return true;
    }

    /**
     * Returns the options for a program that brings the backend. If an account gives the right to submit jobs, the
     * program's workers are jobs unless you chose otherwise. If that needs the rights of a host, they are jobs only if
     * you requested it.
     *
     * @param options from {@link #over}
     */
    public Options spread(Options options, BackendProvider provider) {
        if (!isOpen(options, provider) || !has(SERVICE_ACCOUNT, provider)) {
            return options;
        }
        List<Options.Value> values = new ArrayList<>(options.values());
        values.add(submitting(WORKERS, provider));
        return Options.of(values);
    }

    /**
     * Returns variables of the job: the settings of the program's own session.
     *
     * @param volumes volumes of the program, which its workers see, too, if they are jobs
     * @param options options of the backend
     */
    public Map<String, String> variables(List<Volume> volumes, Options options) {
        Map<String, String> variables = new LinkedHashMap<>();
        workers.ifPresent(name -> variables.put(ConfigKey.BACKEND.variable(), name));
        if (options.isOn(JOBS_SUBMIT).orElse(false) && !volumes.isEmpty()) {
            variables.put(
                    ConfigKey.VOLUMES.variable(),
                    volumes.stream().map(Volume::text).collect(Collectors.joining(",")));
        }
        return variables;
    }

    /** Returns how the program's own workers can be jobs, if there is a choice that was not made. */
    public Optional<String> choiceOfWorkers(Options options, BackendProvider provider) {
        return isOpen(options, provider)
                ? Optional.of("workers that the program starts share its job; --workers " + provider.name()
                        + " makes them jobs of their own (--workers local keeps them there and hides this line)")
                : Optional.empty();
    }

    private boolean isOpen(Options options, BackendProvider provider) {
        return workers.isEmpty() && options.text(JOBS_SUBMIT).isEmpty() && has(JOBS_SUBMIT, provider);
    }

    private static boolean has(String option, BackendProvider provider) {
        return provider.options().stream().anyMatch(each -> each.name().equals(option));
    }

    /**
     * Returns the backend's option that an option of the command sets.
     *
     * @throws FiberException FBR-567 if the backend has no option of this name
     */
    public static OptionKey key(String name, BackendProvider provider) {
        return key(name, name, provider);
    }

    private static OptionKey key(String name, String option, BackendProvider provider) {
        return provider.options().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new FiberException(
                        "FBR-567",
                        "--" + option + " sets the option '" + name + "' of a backend, but the backend '"
                                + provider.name()
                                + "' does not have this option. Leave it out, or choose another backend"
                                + " with --backend."));
    }

    private Map<String, Optional<String>> named() {
        Map<String, Optional<String>> named = new LinkedHashMap<>();
        named.put("partition", partition);
        named.put("account", account);
        named.put("qos", qos);
        named.put("constraint", constraint);
        named.put("gres", gres);
        named.put("nodes", nodes);
        named.put(SERVICE_ACCOUNT, serviceAccount);
        return named;
    }
}
