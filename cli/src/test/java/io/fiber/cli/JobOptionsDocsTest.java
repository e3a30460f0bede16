// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.discovery.Providers;
import io.fiber.spi.OptionKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of docs/pools.md names the options that jobs can have of their own, of every backend. */
class JobOptionsDocsTest {

    private static final Path PAGE = Path.of("..", "docs", "pools.md");

    @Test
    void tableHasTheOptionsOfJobs() throws IOException {
        List<String> rows = Files.readString(PAGE).lines().toList();

        Providers.discover(List.of(JobOptionsDocsTest.class.getClassLoader())).backends().providers().stream()
                .filter(provider -> !provider.name().equals("local"))
                .forEach(provider -> {
                    String options = provider.options().stream()
                            .filter(key -> key.scope() == OptionKey.Scope.JOB)
                            .map(OptionKey::name)
                            .sorted()
                            .collect(Collectors.joining("`, `", "`", "`"));
                    assertThat(rows)
                            .as(provider.name())
                            .anyMatch(row ->
                                    row.startsWith("|`" + provider.name() + "`") && row.endsWith("|" + options + "|"));
                });
    }
}
