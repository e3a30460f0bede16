// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.fiber.spi.Options;
import io.fiber.spi.Probe;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.tck.backend.BackendFixture;
import io.fiber.tck.backend.BackendTck;
import io.fiber.tck.clause.ClauseSelection;
import io.fiber.tck.report.ClauseReport;
import io.fiber.tck.transport.TransportFixture;
import io.fiber.tck.transport.TransportTck;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs the kit from a command line, against a backend or a transport on the class path. No test class is needed. */
public final class StandaloneTck {

    private static final int ALL_PASSED = 0;
    private static final int SOME_FAILED = 1;
    private static final int NOT_RUN = 2;

    private static final String HELP = """
            Runs the contract of backends or transports against one of them on the class path.

              java -cp fiber-tck-standalone.jar:backend.jar io.fiber.tck.StandaloneTck --backend NAME
              java -cp fiber-tck-standalone.jar:transport.jar io.fiber.tck.StandaloneTck --transport NAME

              --backend NAME       the provider's name; ServiceLoader must find it
              --transport NAME     a transport instead of a backend
              --option KEY=VALUE   one of its options, by the last part of its key; may be repeated
              --clause NUMBER      tests this clause only; may be repeated
              --report DIRECTORY   where NAME.md and NAME.json are written; target/fiber-tck by default
              --help               this text

            For a backend, also:

              --java PATH          the java that jobs run; this JVM's own where the backend declares SHARED_FILES
              --class-path PATHS   where the kit's jar is for a job; this JVM's class path by default
              --image IMAGE        the container image that jobs run in
              --start-limit TIME   within which a submitted job runs; 60s by default
              --orphan-limit TIME  within which jobs are gone after their master was killed; 30s by default, the promise
              --slots N            how many jobs can run at one time; 3 by default, the least

            Exit code: 0 every clause passed or was skipped with a reason; 1 a clause failed or none passed; 2 nothing was
            tested, because an argument was wrong, or the backend or transport was not found or cannot be used here.
            """;

    private StandaloneTck() {}

    /** The kit of backends with the fixture that the command line describes. */
    static final class BackendKit extends BackendTck {
        @Override
        protected BackendFixture createFixture() {
            return new StandaloneFixture();
        }
    }

    /** The kit of transports with the fixture that the command line describes. */
    static final class TransportKit extends TransportTck {
        @Override
        protected TransportFixture createFixture() {
            return new StandaloneTransportFixture();
        }
    }

    /** Runs the kit and ends the JVM with the documented exit code. */
    public static void main(String[] arguments) {
        System.exit(run(List.of(arguments), System.out));
    }

    static int run(List<String> arguments, PrintStream out) {
        if (arguments.contains("--help")) {
            out.print(HELP);
            return ALL_PASSED;
        }
        try {
            StandaloneOptions.read(arguments);
            ClauseSelection.named();
            Optional<String> transport = StandaloneOptions.setting(StandaloneOptions.TRANSPORT);
            if (transport.isPresent()) {
                StandaloneOptions.options(StandaloneOptions.transport(transport.get()));
                return test(TransportKit.class, transport.get(), out);
            }
            String backend =
                    StandaloneOptions.setting(StandaloneOptions.BACKEND).orElseThrow();
            BackendProvider provider = StandaloneOptions.backend(backend);
            Options options = StandaloneOptions.options(provider);
            if (provider.probe(StandaloneOptions.environment(provider, options)) instanceof Probe.Unusable unusable) {
                out.println("Backend '" + backend + "' cannot be used here: " + unusable.reason());
                return NOT_RUN;
            }
            return test(BackendKit.class, backend, out);
        } catch (IllegalArgumentException e) {
            out.println(e.getMessage());
            return NOT_RUN;
        }
    }

    private static int test(Class<?> kit, String name, PrintStream out) {
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(kit))
                .configurationParameter("junit.jupiter.execution.timeout.default", "20 m")
                .build();
        LauncherFactory.create().execute(request, summary);
        Path report = Path.of(System.getProperty(ClauseReport.DIRECTORY_PROPERTY, "target/fiber-tck"), name + ".md");
        TestExecutionSummary result = summary.getSummary();
        result.getFailures()
                .forEach(failure -> out.println(failure.getException().getMessage() + "\n"));
        try {
            out.print(Files.readString(report));
        } catch (java.io.IOException e) {
            out.println("The report " + report + " cannot be read: " + e.getMessage());
            return NOT_RUN;
        }
        return result.getTotalFailureCount() == 0 && result.getTestsSucceededCount() > 0 ? ALL_PASSED : SOME_FAILED;
    }
}
