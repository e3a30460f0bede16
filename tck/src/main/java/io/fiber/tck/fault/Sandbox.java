// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.fault;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs a command with a network and a mount table of its own, in which it may do what only root may do elsewhere:
 * create interfaces and networks ({@link PrivateNetwork}), and mount small disks ({@link SmallDisk}). Nothing of this
 * is visible outside, and all of it is gone when the last process inside has ended. Files, processes and the user are
 * those of the machine.
 *
 * <p>It needs {@code unshare} (util-linux) and {@code ip} (iproute2), and a kernel that lets this user create
 * namespaces, which a container often does not.
 */
public final class Sandbox {

    /** {@code ip netns} keeps the names of networks in {@code /run}, which belongs to the machine's root. */
    private static final String ENTER = "mount -t tmpfs none /run && ip link set lo up && exec \"$@\"";

    private Sandbox() {}

    /**
     * Returns why this machine has no sandbox for this user; empty if it has one. Blocks for some milliseconds.
     *
     * @return the reason, for the message of a skipped test
     */
    public static Optional<String> obstacle() {
        Command.Outcome outcome =
                Command.tried(command(List.of("sh", "-c", "command -v nsenter && ip link add fault0 type bridge")));
        return outcome.exitCode() == 0
                ? Optional.empty()
                : Optional.of("this user cannot make a network and mounts of its own here (unshare, ip, nsenter): "
                        + outcome.output());
    }

    /**
     * Returns a command that runs another one inside, under the same pid.
     *
     * @param words the command, its program first
     */
    public static List<String> command(List<String> words) {
        List<String> command = new ArrayList<>(List.of(
                "unshare", "--user", "--map-root-user", "--net", "--mount", "--", "sh", "-c", ENTER, "sandbox"));
        command.addAll(words);
        return command;
    }
}
