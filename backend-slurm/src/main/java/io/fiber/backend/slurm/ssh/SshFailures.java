// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm.ssh;

import io.fiber.backend.support.batch.Commands;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What went wrong on the way to a login node, in words that say what to do. */
public final class SshFailures {

    /** With which ssh ends when it is not the command that has ended. */
    private static final int OWN_EXIT_CODE = 255;

    static final String REVOKED = "a host key that is revoked";

    private static final Pattern DENIED = Pattern.compile(
            "(?m)^\\S+: Permission denied( \\(|,)|^Received disconnect .*: Too many authentication failures");
    private static final Pattern CLOSED = Pattern.compile("(?m)^(?:Shared c|C)onnection to \\S+ closed");
    private static final Pattern SHOWN =
            Pattern.compile("fingerprint for the (\\S+) key sent by .*\\s+(SHA256:\\S+?)\\.?\\s");
    private static final Pattern OFFENDING = Pattern.compile("(?m)^Offending \\S+ key in (.+):\\d+$");
    private static final Pattern CHANGED =
            Pattern.compile("(?m)^(?:Host key for|\\S+ host key for) (\\S+) (?:has changed|was revoked)");

    private SshFailures() {}

    /** Returns what to throw if the program ssh has ended before a shell has begun; nothing if the connection was lost. */
    static Optional<BackendException> ofProgram(SshConfig target, Commands.Answer end) {
        boolean isSilent = end.errors().isBlank() && end.exitCode() == OWN_EXIT_CODE;
        return isSilent || CLOSED.matcher(end.errors()).find()
                ? Optional.empty()
                : Optional.of(ofConnecting(target, end));
    }

    private static BackendException ofConnecting(SshConfig target, Commands.Answer end) {
        String said = end.errors();
        if (end.exitCode() != OWN_EXIT_CODE) {
            return notRun(target, end);
        }
        Matcher changed = CHANGED.matcher(said);
        if (changed.find()) {
            Matcher shown = SHOWN.matcher(said);
            Matcher offending = OFFENDING.matcher(said);
            return changedKey(
                    target,
                    shown.find() ? "the host key " + shown.group(1) + " " + shown.group(2) : REVOKED,
                    changed.group(1),
                    offending.find()
                            ? offending.group(1)
                            : target.knownHosts().get(0).toString());
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
        return said.contains("timed out") ? timedOut(target, inOneLine(said)) : unreachable(target, inOneLine(said));
    }

    private static String inOneLine(String said) {
        return new Commands.Answer(OWN_EXIT_CODE, "", said).complaint().replaceFirst("\\.$", "");
    }

    static BackendException unknownKey(SshConfig target, String said) {
        return new BackendException("FBR-151 " + target.theHost() + " is not known: " + said + ", in "
                + target.knownHosts().get(0)
                + ". Log in once by hand, compare the fingerprint that ssh shows with what the site"
                + " publishes, and confirm it: " + target.byHand("-o", "StrictHostKeyChecking=ask")
                + ". Fiber trusts no host by itself.");
    }

    /**
     * Returns what to throw if a host shows a key that is not the one that is known.
     *
     * @param host as the file names it
     */
    static BackendException changedKey(SshConfig target, String shown, String host, String file) {
        return new BackendException("FBR-152 " + target.theHost() + " shows " + shown
                + ", which is not the one that '" + file + "' has for " + host
                + ". Either the host was set up anew, or another host answers in its place."
                + " Nothing was sent. Ask the site; if the key was changed, run: ssh-keygen -R '" + host + "' -f "
                + SshOptions.said(List.of(file)) + " and add the new one.");
    }

    static BackendException refused(SshConfig target, String said) {
        return new BackendException("FBR-153 " + target.theHost() + " refuses the user '" + target.user()
                + "': " + said
                + ". Set fiber.slurm.ssh-user and fiber.slurm.ssh-key, put a key with a passphrase into an"
                + " agent (ssh-add), or the public key into ~/.ssh/authorized_keys there (ssh-copy-id). Passwords are not"
                + " asked for. This shows which keys are offered: " + target.byHand("-v", "-o", "BatchMode=yes"));
    }

    /** Returns what to throw when the login node does not answer; that says nothing of any job. */
    static BackendUnavailableException unreachable(SshConfig target, String reason) {
        return new BackendUnavailableException("FBR-150 " + target.theHost() + " cannot be reached: " + reason
                + ". Running jobs go on; Fiber tries again. Check host, port and network by: " + target.byHand("-v"));
    }

    /** Returns what to throw when the login node has sent nothing in time. */
    static BackendUnavailableException timedOut(SshConfig target, String reason) {
        return unreachable(
                target,
                reason + ", as of a host that is switched off, or behind a firewall that drops packets, or in a network"
                        + " that needs a VPN");
    }

    static BackendUnavailableException noSession(SshConfig target) {
        return new BackendUnavailableException("FBR-150 " + target.theHost()
                + " accepts the login and refuses a session. Ask the site to raise MaxSessions in sshd_config (10 by default),"
                + " or name another host by fiber.slurm.ssh-host. Running jobs go on; Fiber tries again.");
    }

    /** Returns what to throw if the connection broke before a script had ended. */
    static BackendUnavailableException lost(SshConfig target, String what) {
        return new BackendUnavailableException("FBR-150 " + target.theHost() + " went away while it was asked for '"
                + what + "'. Running jobs go on; Fiber asks again over a new session.");
    }

    /** Returns what to throw when something else ran instead of what was to be run; that says nothing of any job. */
    static BackendUnavailableException notRun(SshConfig target, Commands.Answer end) {
        return notRun(target, "; instead it ended with " + end.exitCode() + " and said: '" + end.complaint() + "'");
    }

    /** Returns what to throw when ssh is there and no shell has begun in time. */
    static BackendUnavailableException notBegun(SshConfig target, Duration limit) {
        return notRun(target, " within " + limit.toMillis() + " ms");
    }

    private static BackendUnavailableException notRun(SshConfig target, String instead) {
        return new BackendUnavailableException("FBR-210 " + target.theHost()
                + " accepts the login and does not run the command" + instead
                + ". The account there must have a shell, and start-up files of"
                + " that shell (~/.bashrc, ~/.cshrc) must not end it, start another one or wait for input when it is not"
                + " interactive. See for yourself: " + target.byHand());
    }

    /** Returns what to throw if jsch cannot follow a directive, and the program is not used. */
    static BackendException notFollowed(SshConfig target, String directive) {
        boolean isJsch = target.options().isBy("jsch");
        return new BackendException((isJsch ? "FBR-211" : "FBR-212") + " The SSH configuration has " + directive
                + " for the way to the login node " + target.named() + ", which only the program 'ssh' can follow"
                + (isJsch
                        ? ", and fiber.slurm.ssh is 'jsch'. Set it to auto,"
                        : "; it is in no directory of " + path(target) + ". Install OpenSSH's client here,")
                + " or name a configuration without this line by fiber.slurm.ssh-config"
                + " (instead of 'ProxyCommand ssh -W %h:%p gateway' write 'ProxyJump gateway').");
    }

    static BackendException withoutProgram(SshConfig target) {
        return new BackendException("FBR-212 The program 'ssh' is in no directory of " + path(target)
                + ", and fiber.slurm.ssh is 'program', so that the login node " + target.named()
                + " cannot be reached. Install OpenSSH's client here, or set fiber.slurm.ssh to auto.");
    }

    private static String path(SshConfig target) {
        return "PATH=" + target.environment().variable("PATH").orElse("");
    }

    /** Returns what to throw if the login node does not have a program of Slurm. */
    public static BackendException withoutSlurm(SshConfig target, String program, String path) {
        return new BackendException("FBR-155 The program '" + program + "' is in no directory of PATH=" + path
                + " on the login node " + target.named() + ", as a login shell there has it (bash -l)."
                + " Put Slurm's programs on the PATH in ~/.bash_profile there (on many sites: module load slurm),"
                + " or name another host by fiber.slurm.ssh-host.");
    }
}
