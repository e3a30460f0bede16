// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import com.jcraft.jsch.AgentIdentityRepository;
import com.jcraft.jsch.AgentProxyException;
import com.jcraft.jsch.Identity;
import com.jcraft.jsch.IdentityRepository;
import com.jcraft.jsch.JSch;
import com.jcraft.jsch.JSchException;
import com.jcraft.jsch.SSHAgentConnector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Vector;

/**
 * The keys that are offered to one host: those of files and those of the agent, together. Keys of files are never put
 * into the agent.
 */
final class SshKeys implements IdentityRepository {

    private final List<Identity> keys = new ArrayList<>();
    private final List<String> words = new ArrayList<>();

    private SshKeys() {}

    /** Reads the keys of a target; what cannot be read or is locked is left out and told by {@link #describe}. */
    static SshKeys of(SshTarget target) {
        SshKeys all = new SshKeys();
        target.keys().named().forEach(all::addFile);
        target.agent().ifPresent(all::addAgent);
        target.keys().usual().forEach(all::addFile);
        return all;
    }

    private void addFile(Path file) {
        if (Files.notExists(file)) {
            words.add(file + " (there is no such file)");
            return;
        }
        try {
            JSch reader = new JSch();
            reader.addIdentity(file.toString());
            for (Identity key : reader.getIdentityRepository().getIdentities()) {
                if (key.isEncrypted()) {
                    words.add(file + " (has a passphrase: put it into an agent by ssh-add)");
                } else {
                    keys.add(key);
                    words.add(file.toString());
                }
            }
        } catch (JSchException e) {
            words.add(file + " (cannot be read: " + e.getMessage() + ")");
        }
    }

    private void addAgent(Path socket) {
        if (Files.notExists(socket)) {
            words.add("none of the agent at " + socket + " (there is no such socket; is it running?)");
            return;
        }
        try {
            List<Identity> held = new AgentIdentityRepository(new SSHAgentConnector(socket)).getIdentities();
            keys.addAll(held);
            words.add(held.size() + " of the agent at " + socket);
        } catch (AgentProxyException | RuntimeException e) {
            words.add("none of the agent at " + socket + " (" + e.getMessage() + ")");
        }
    }

    /** Returns in words which keys there are. */
    String describe() {
        return words.isEmpty() ? "none" : String.join(", ", words);
    }

    @Override
    public String getName() {
        return "fiber";
    }

    @Override
    public int getStatus() {
        return RUNNING;
    }

    @Override
    @SuppressWarnings("JdkObsolete")
    public Vector<Identity> getIdentities() {
        return new Vector<>(keys);
    }

    @Override
    public boolean add(byte[] identity) {
        return false;
    }

    @Override
    public boolean remove(byte[] blob) {
        return false;
    }

    @Override
    public void removeAll() {
        // The keys are the user's, not ours.
    }
}
