// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.backend.support.batch.Commands;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What went wrong on the way to a login node, in words that say what to do. */
final class SshFailures {

    /** With which ssh ends when it is not the command that has ended. */
    private static final int OWN_EXIT_CODE = 255;

    private static final String NO_WAY = "FBR-150 ";
    private static final Pattern DENIED = Pattern.compile(
            "(?m)^\\S+: Permission denied( \\(|,)|^Received disconnect .*: Too many authentication failures");
    private static final Pattern SHOWN =
            Pattern.compile("fingerprint for the (\\S+) key sent by .*\\s+(SHA256:\\S+?)\\.?\\s");
    private static final Pattern OFFENDING = Pattern.compile("(?m)^Offending \\S+ key in (.+):\\d+$");
    private static final Pattern CHANGED =
            Pattern.compile("(?m)^(?:Host key for|\\S+ host key for) (\\S+) (?:has changed|was revoked)");

    private SshFailures() {}

    /** Returns what to throw when ssh has ended before a shell has begun. */
    static BackendException ofConnecting(SshTarget target, Commands.Answer end) {
        String said = end.errors();
        if (end.exitCode() != OWN_EXIT_CODE) {
            return notRun(target, end);
        }
        Matcher changed = CHANGED.matcher(said);
        if (changed.find()) {
            return changedKey(target, changed.group(1), said);
        }
        if (said.contains("Host key verification failed")) {
            return unknownKey(target, inOneLine(said));
        }
        if (DENIED.matcher(said).find()) {
            return refused(target, inOneLine(said));
        }
        if (said.contains("Session open refused") || said.contains("open failed: ")) {
            return noSession(target);
        }
        return unreachable(target, said.isBlank() ? "ssh has ended without a word" : inOneLine(said));
    }

    /** Tells whether a shell has not begun because of the way there. */
    static boolean isOfTheWay(BackendException failure) {
        return String.valueOf(failure.getMessage()).startsWith(NO_WAY);
    }

    private static String inOneLine(String said) {
        return new Commands.Answer(OWN_EXIT_CODE, "", said).complaint().replaceFirst("\\.$", "");
    }

    private static BackendException unknownKey(SshTarget target, String said) {
        return new BackendException("FBR-151 The login node " + target.named() + " is not known: " + said + ", in "
                + target.knownHosts()
                + ". Log in once by hand, compare the fingerprint that ssh shows with what the site"
                + " publishes, and confirm it: " + target.byHand("-o", "StrictHostKeyChecking=ask")
                + ". Fiber trusts no host by itself.");
    }

    private static BackendException changedKey(SshTarget target, String host, String said) {
        Matcher shown = SHOWN.matcher(said);
        Matcher offending = OFFENDING.matcher(said);
        String file = offending.find() ? offending.group(1) : target.knownHosts();
        return new BackendException("FBR-152 The login node " + target.named() + " shows "
                + (shown.find()
                        ? "the host key " + shown.group(1) + " " + shown.group(2)
                        : "a host key that is revoked")
                + ", which is not the one that '" + file + "' has for " + host
                + ". Either the host was set up anew, or another host answers in its place."
                + " Nothing was sent. Ask the site; if the key was changed, run: ssh-keygen -R '" + host + "' -f "
                + Preview.word(file) + " and add the new one.");
    }

    private static BackendException refused(SshTarget target, String said) {
        return new BackendException("FBR-153 The login node " + target.named() + " refuses the user '" + target.user()
                + "': " + said
                + ". Set fiber.slurm.ssh-user and fiber.slurm.ssh-key, put a key with a passphrase into an"
                + " agent (ssh-add), or the public key into ~/.ssh/authorized_keys there (ssh-copy-id). Passwords are not"
                + " asked for. This shows which keys are offered: " + target.byHand("-v", "-o", "BatchMode=yes"));
    }

    /** Returns what to throw when the login node does not answer; that says nothing of any job. */
    static BackendUnavailableException unreachable(SshTarget target, String reason) {
        return new BackendUnavailableException(NO_WAY + "The login node " + target.named() + " cannot be reached: "
                + reason
                + (reason.contains("timed out")
                        ? ", as of a host that is switched off, or behind a firewall that drops packets, or in a network"
                                + " that needs a VPN"
                        : "")
                + ". Running jobs go on; Fiber tries again. Check host, port and network by: " + target.byHand("-v"));
    }

    private static BackendUnavailableException noSession(SshTarget target) {
        return new BackendUnavailableException(NO_WAY + "The login node " + target.named()
                + " accepts the login and refuses a session. Ask the site to raise MaxSessions in sshd_config (10 by default),"
                + " or name another host by fiber.slurm.ssh-host. Running jobs go on; Fiber tries again.");
    }

    /** Returns what to throw when the connection broke before a script had ended. */
    static BackendUnavailableException lost(SshTarget target, String what) {
        return new BackendUnavailableException(NO_WAY + "The login node " + target.named()
                + " went away while it was asked for '" + what
                + "'. Running jobs go on; Fiber asks again over a new session.");
    }

    /** Returns what to throw when something else ran instead of what was to be run; that says nothing of any job. */
    private static BackendUnavailableException notRun(SshTarget target, Commands.Answer end) {
        return notRun(target, "; instead it ended with " + end.exitCode() + " and said: '" + end.complaint() + "'");
    }

    /** Returns what to throw when ssh is there and no shell has begun in time. */
    static BackendUnavailableException notBegun(SshTarget target, Duration limit) {
        return notRun(target, " within " + limit.toMillis() + " ms");
    }

    private static BackendUnavailableException notRun(SshTarget target, String instead) {
        return new BackendUnavailableException("FBR-210 The login node " + target.named()
                + " accepts the login and does not run the command" + instead
                + ". The account there must have a shell, and start-up files of"
                + " that shell (~/.bashrc, ~/.cshrc) must not end it, start another one or wait for input when it is not"
                + " interactive. See for yourself: " + target.byHand());
    }

    static BackendException withoutSlurm(SshTarget target, String program, String path) {
        return new BackendException("FBR-155 The program '" + program + "' is in no directory of PATH=" + path
                + " on the login node " + target.named() + ", as a login shell there has it (bash -l)."
                + " Put Slurm's programs on the PATH in ~/.bash_profile there (on many sites: module load slurm),"
                + " or name another host by fiber.slurm.ssh-host.");
    }
}
