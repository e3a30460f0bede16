// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.TransportException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Opens as many links as a small /dev/shm holds, one more, and says what happened. */
public final class SmallMemoryMain {

    private SmallMemoryMain() {}

    public static void main(String[] args) throws Exception {
        Fixture fixture = new Fixture(Path.of(args[0]));
        fixture.maxPeers = 60;
        try (AeronTransport master = fixture.open();
                AeronTransport worker = new Fixture(Path.of(args[0])).open()) {
            List<Link> peers = new ArrayList<>();
            List<Link> links = new ArrayList<>();
            String refusal = "";
            while (refusal.isEmpty()) {
                try {
                    Link here = master.invite();
                    Link there = worker.dial(here.address());
                    Drive.connect(here, there, master, worker);
                    links.add(here);
                    peers.add(there);
                } catch (TransportException e) {
                    refusal = e.kind() + " " + e.getMessage();
                }
            }
            System.out.println("in " + fixture.removedAtDeath.get(0).getParent());
            System.out.println("links " + links.size());
            System.out.println("refusal " + refusal);
            List<String> differences = new ArrayList<>();
            for (int i = 0; i < links.size(); i++) {
                differences.addAll(Drive.differences(links.get(i), peers.get(i), 100, master, worker));
                differences.addAll(Drive.differences(peers.get(i), links.get(i), 100, master, worker));
            }
            System.out.println("differences " + differences);
            System.out.println(
                    "free " + Files.getFileStore(DriverDirectory.SHARED_MEMORY).getUsableSpace());
        }
        System.out.println("end");
    }
}
