// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import io.fiber.cli.run.PlatformOptions;
import io.fiber.runtime.config.FiberConfig;
import io.fiber.runtime.discovery.Providers;
import io.fiber.spi.Environment;
import io.fiber.spi.Options;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.PlatformSetup;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fiber setup}. */
@Command(
        name = "setup",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Prepares a platform once, so that jobs can submit jobs.",
        description = {
            "",
            "On Kubernetes, creates the service account for 'fiber run --service-account', with its role and role"
                    + " binding. This requires the right to create roles.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  fiber setup kubernetes --print",
            "  fiber setup kubernetes --namespace jobs --service-account fiber",
            "  fiber setup kubernetes -s kubernetes.context=lab"
        })
final class SetupCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "BACKEND", description = "The backend: kubernetes.")
    private String backend = "";

    @Mixin
    private SettingOptions settings = new SettingOptions();

    @Option(names = "--print", description = "Print the definitions for the platform's own tools, and create nothing.")
    private boolean print;

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            description = "The namespace. Default: the one that programs" + " use.")
    private Optional<String> namespace = Optional.empty();

    @Option(names = "--service-account", paramLabel = "NAME", description = "The name of the account. Default: fiber.")
    private Optional<String> serviceAccount = Optional.empty();

    @Override
    public Integer call() {
        Providers providers = Providers.discover(List.of(SetupCommand.class.getClassLoader()));
        FiberConfig config = FiberConfig.load(settings.sources(Optional.empty()), providers.keys(List.of()));
        PlatformSetup setup = providers.backends().providers().stream()
                .filter(each -> each.name().equals(backend))
                .findFirst()
                .flatMap(provider -> provider.setup(options(config, provider), Environment.system()))
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(), "There is no setup for '" + backend + "'; expected: kubernetes."));
        spec.commandLine().getOut().print(print ? setup.text() : setup.apply() + "\n");
        spec.commandLine().getOut().flush();
        return 0;
    }

    private Options options(FiberConfig config, BackendProvider provider) {
        List<Options.Value> values = new ArrayList<>();
        namespace.ifPresent(
                name -> values.add(new Options.Value(PlatformOptions.key("namespace", provider), name, "--namespace")));
        serviceAccount.ifPresent(name -> values.add(
                new Options.Value(PlatformOptions.key("service-account", provider), name, "--service-account")));
        values.addAll(config.optionsOf(provider).values());
        return Options.of(values);
    }
}
