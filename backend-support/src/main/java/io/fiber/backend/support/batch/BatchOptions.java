// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import io.fiber.backend.support.CallerAddress;
import io.fiber.spi.CallerHost;
import io.fiber.spi.OptionKey;
import io.fiber.spi.OptionType;
import io.fiber.spi.Options;
import io.fiber.spi.backend.BackendException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The options of every batch system: the shared directory, the address that nodes dial, and the time between two
 * questions. Stateless.
 */
public final class BatchOptions {

    private static final String ADDRESS = "address";
    private static final String POLL_INTERVAL = "poll-interval";
    private static final Duration USUAL_POLL_INTERVAL = Duration.ofSeconds(2);

    private BatchOptions() {}

    /** Returns the keys of all three. */
    public static List<OptionKey> keys(BatchName name) {
        return List.of(
                directoryKey(name),
                OptionKey.of(
                        ADDRESS,
                        OptionType.TEXT,
                        "the one in the network of " + name.shown() + "'s server",
                        "address or name of this host that jobs dial"),
                pollIntervalKey(name));
    }

    /** Returns the key of the shared directory. */
    public static OptionKey directoryKey(BatchName name) {
        return OptionKey.of(
                BatchName.DIRECTORY,
                OptionType.PATH,
                "~/.fiber/" + name.backend(),
                "directory for scripts, bootstrap files and output of jobs; this host and all nodes must see it");
    }

    /** Returns the key of the shortest time between two questions. */
    public static OptionKey pollIntervalKey(BatchName name) {
        return OptionKey.of(
                POLL_INTERVAL, OptionType.DURATION, "2s", "shortest time between two queries to " + name.shown());
    }

    /** Returns the shared directory, by default one in the home directory of this process. */
    public static Path directory(BatchName name, Options options) {
        return options.path(BatchName.DIRECTORY)
                .orElse(Path.of(System.getProperty("user.home"), ".fiber", name.backend()))
                .toAbsolutePath();
    }

    /** Returns the shortest time between two questions. */
    public static Duration pollInterval(Options options) {
        return options.duration(POLL_INTERVAL).orElse(USUAL_POLL_INTERVAL);
    }

    /**
     * Returns the address that jobs dial: the one that the user has set, or that from which a server is reached, because
     * it is in the network of the nodes.
     *
     * @param server a host of the batch system
     * @throws BackendException FBR-134 if the user has set none and there is no route to the server
     */
    public static CallerHost callerHost(BatchName name, Options options, String server) {
        return options.text(ADDRESS).map(CallerAddress::named).orElseGet(() -> towards(name, server));
    }

    private static CallerHost towards(BatchName name, String server) {
        try {
            return CallerAddress.at(CallerAddress.towards(server));
        } catch (IOException e) {
            throw new BackendException(
                    "FBR-134 There is no way to '" + server + "', so the address for jobs to dial is unknown: " + e
                            + ". Set " + name.setting(ADDRESS) + ".",
                    e);
        }
    }
}
