// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import com.jcraft.jsch.JSchChangedHostKeyException;
import com.jcraft.jsch.JSchException;
import com.jcraft.jsch.JSchRevokedHostKeyException;
import com.jcraft.jsch.JSchUnknownHostKeyException;
import io.fiber.backend.support.batch.Commands;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;

/** What went wrong on the way to a login node, in words that say what to do. */
final class SshFailures {

    private SshFailures() {}

    /** Returns what to throw when a session could not be opened. */
    static BackendException ofConnecting(SshTarget target, JSchException failure, TrustedHosts hosts, SshKeys keys) {
        if (failure instanceof JSchUnknownHostKeyException) {
            return unknownKey(target, hosts, failure);
        }
        if (failure instanceof JSchChangedHostKeyException || failure instanceof JSchRevokedHostKeyException) {
            return changedKey(target, hosts, failure);
        }
        String message = String.valueOf(failure.getMessage());
        if (message.startsWith("Auth ") || message.startsWith("USERAUTH ") || message.contains("uthentication")) {
            return refused(target, keys, failure);
        }
        return unreachable(target, failure);
    }

    private static BackendException unknownKey(SshTarget target, TrustedHosts hosts, JSchException failure) {
        return new BackendException(
                "FBR-151 The login node " + named(target) + " is not known: it shows the host key "
                        + hosts.fingerprint() + ", and '" + target.knownHosts()
                        + "' has none of its keys. Compare the fingerprint with what the site publishes; if it is the same,"
                        + " run: ssh-keyscan -p " + target.port() + " " + target.host() + " >> " + target.knownHosts(),
                failure);
    }

    private static BackendException changedKey(SshTarget target, TrustedHosts hosts, JSchException failure) {
        String known = target.hostKeyName()
                .orElse(target.port() == 22 ? target.host() : "[" + target.host() + "]:" + target.port());
        return new BackendException(
                "FBR-152 The login node " + named(target) + " shows the host key " + hosts.fingerprint()
                        + ", which is not the one that '" + target.knownHosts()
                        + "' has for it. Either the host was set up anew, or another host answers in its place."
                        + " Nothing was sent. Ask the site; if the key was changed, run: ssh-keygen -R '" + known
                        + "' -f " + target.knownHosts() + " and add the new one.",
                failure);
    }

    private static BackendException refused(SshTarget target, SshKeys keys, JSchException failure) {
        return new BackendException(
                "FBR-153 The login node " + named(target) + " refuses the user '" + target.user()
                        + "': " + failure.getMessage() + ". Keys that were offered: " + keys.describe()
                        + ". Set fiber.slurm.ssh-user and fiber.slurm.ssh-key, start an agent (ssh-add), or put the public"
                        + " key into ~/.ssh/authorized_keys there (ssh-copy-id). Passwords are not asked for.",
                failure);
    }

    /** Returns what to throw when the login node does not answer; that says nothing of any job. */
    static BackendUnavailableException unreachable(SshTarget target, Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null && !(root instanceof SshPatience.SilentException)) {
            root = root.getCause();
        }
        String reason = root instanceof SshPatience.SilentException ? root.getMessage() : root.toString();
        return new BackendUnavailableException(
                "FBR-150 The login node " + named(target) + " cannot be reached: " + reason
                        + ". Running jobs go on; Fiber tries again. Check host, port and network by: ssh -p "
                        + target.port() + " " + target.user() + "@" + target.host(),
                failure);
    }

    /** Returns what to throw when a session is open and the host opens no channel in it. */
    static BackendUnavailableException noChannel(SshTarget target, int reason, Throwable failure) {
        return new BackendUnavailableException(
                "FBR-150 The login node " + named(target)
                        + " accepts the login and refuses a further channel in the session (reason " + reason
                        + " of its SSH server). Fiber uses up to 8 at a time; sshd allows MaxSessions, 10 by default. Ask the"
                        + " site to raise MaxSessions in sshd_config, or name another host by fiber.slurm.ssh-host."
                        + " Running jobs go on; Fiber tries again.",
                failure);
    }

    static BackendUnavailableException lost(SshTarget target, String what) {
        return new BackendUnavailableException("FBR-150 The login node " + named(target)
                + " went away while it was asked for '" + what
                + "'. Running jobs go on; Fiber asks again over a new session.");
    }

    /** Returns what to throw when something else ran instead of what was to be run; that says nothing of any job. */
    static BackendUnavailableException notRun(SshTarget target, Commands.Answer answer) {
        return new BackendUnavailableException("FBR-210 The login node " + named(target)
                + " accepts the login and does not run the command; instead it ended with " + answer.exitCode()
                + " and said: '" + answer.complaint() + "'. The account there must have a shell, and start-up files of"
                + " that shell (~/.bashrc, ~/.cshrc) must not end it, start another one or wait for input when it is not"
                + " interactive. See for yourself: ssh -p " + target.port() + " " + target.user() + "@"
                + target.host() + " echo works");
    }

    static BackendException withoutSftp(SshTarget target, Throwable failure) {
        return new BackendException(
                "FBR-154 The login node " + named(target) + " offers no SFTP: " + failure.getMessage()
                        + ". Files of the program go there by it. Ask the site to switch on 'Subsystem sftp' in sshd_config;"
                        + " a start-up file there (~/.bashrc) that prints something, also in a session without a terminal, has the same"
                        + " effect: let it print only when $- contains i.",
                failure);
    }

    static BackendException withoutSlurm(SshTarget target, String program, String path) {
        return new BackendException("FBR-155 The program '" + program + "' is in no directory of PATH=" + path
                + " on the login node " + named(target) + ", as a login shell there has it (bash -l)."
                + " Put Slurm's programs on the PATH in ~/.bash_profile there (on many sites: module load slurm),"
                + " or name another host by fiber.slurm.ssh-host.");
    }

    /** Returns the host as the user knows it, and where that is. */
    static String named(SshTarget target) {
        return "'" + target.name() + "' (" + target.place() + ")";
    }
}
