// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.doctor;

import io.fiber.FiberException;
import io.fiber.runtime.config.ConfigSources;
import io.fiber.runtime.config.FiberConfig;
import io.fiber.runtime.discovery.BackendSelection;
import io.fiber.runtime.discovery.ProviderCatalog;
import io.fiber.runtime.discovery.Providers;
import io.fiber.runtime.discovery.Selected;
import io.fiber.spi.Environment;
import io.fiber.spi.Probe;
import io.fiber.spi.Provider;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.transport.TransportProvider;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Finds out what a program with this class path and these settings would select, and why. */
final class ProviderChecks {

    private final Providers providers;
    private final Consumer<Finding> findings;

    /** What was selected. */
    record Choice(FiberConfig config, Selected<BackendProvider> backend, Optional<TransportProvider> transport) {}

    ProviderChecks(Collection<ClassLoader> loaders, Consumer<Finding> findings) {
        this.providers = Providers.discover(loaders);
        this.findings = findings;
    }

    /** Returns the selection; empty if none is possible, which the findings explain. */
    Optional<Choice> run(ConfigSources sources) {
        tell("backends", providers.backends());
        tell("transports", providers.transports());
        FiberConfig config;
        try {
            config = FiberConfig.load(sources, providers.keys(List.of()));
        } catch (FiberException e) {
            findings.accept(Finding.thrown("settings", e));
            return Optional.empty();
        }
        List<String> set = config.describeSet();
        findings.accept(Finding.ok("settings", set.isEmpty() ? "none is set" : String.join("; ", set)));
        return chooseBackend(config, chooseTransport(config));
    }

    private <P extends Provider> void tell(String subject, ProviderCatalog<P> catalog) {
        catalog.broken()
                .forEach(broken -> findings.accept(Finding.note(
                        subject,
                        "found, but could not be loaded: " + broken,
                        "put what it needs on the class path, or remove it")));
        if (!catalog.names().isEmpty()) {
            findings.accept(Finding.ok(
                    subject,
                    catalog.providers().stream()
                            .map(provider -> provider.name() + " (" + place(provider) + ")")
                            .sorted()
                            .collect(Collectors.joining(", "))));
        }
    }

    private static String place(Provider provider) {
        CodeSource source = provider.getClass().getProtectionDomain().getCodeSource();
        try {
            return source == null || source.getLocation() == null
                    ? provider.getClass().getName()
                    : String.valueOf(Path.of(source.getLocation().toURI()).getFileName());
        } catch (URISyntaxException | IllegalArgumentException e) {
            return String.valueOf(source.getLocation());
        }
    }

    private Optional<TransportProvider> chooseTransport(FiberConfig config) {
        try {
            Selected<TransportProvider> selected = providers.selectTransport(config);
            findings.accept(Finding.ok("transport", selected.provider().name() + ", " + selected.reason()));
            if (Dialled.Way.of(selected.provider()) == Dialled.Way.UDP) {
                findings.accept(HostChecks.sharedMemory(HostChecks.SHARED_MEMORY));
                HostChecks.udpBuffers().forEach(findings);
            }
            return Optional.of(selected.provider());
        } catch (FiberException e) {
            findings.accept(Finding.thrown("transport", e));
            return Optional.empty();
        }
    }

    private Optional<Choice> chooseBackend(FiberConfig config, Optional<TransportProvider> transport) {
        BackendSelection selection = new BackendSelection(providers.backends(), Environment.system());
        Optional<Choice> choice = Optional.empty();
        try {
            Selected<BackendProvider> selected = selection.select(config);
            findings.accept(
                    Finding.ok("choice", "backend '" + selected.provider().name() + "', " + selected.reason()));
            choice = Optional.of(new Choice(config, selected, transport));
        } catch (FiberException e) {
            findings.accept(Finding.thrown("choice", e));
        }
        String chosen = choice.map(each -> each.backend().provider().name()).orElse("");
        selection.probeAll(config).forEach((name, probe) -> findings.accept(judge(name, probe, chosen)));
        return choice;
    }

    private static Finding judge(String name, Probe probe, String chosen) {
        String subject = "backend " + name;
        String other = name.equals(chosen) ? "" : "; not chosen";
        if (probe instanceof Probe.Inside inside) {
            return Finding.ok(subject, "this process runs inside it: " + inside.evidence() + other);
        }
        if (probe instanceof Probe.Usable usable) {
            return Finding.ok(subject, "can be used: " + usable.evidence() + other);
        }
        return Finding.note(subject, "cannot be used here" + other, ((Probe.Unusable) probe).reason());
    }
}
