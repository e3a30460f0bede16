// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import io.fiber.runtime.platform.ClassPathSnapshot;
import io.fiber.spec.Secret;
import io.fiber.spi.transport.Address;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a worker must know before it can talk to its master. It holds the job's key, so it travels only through the
 * backend's bootstrap channel.
 *
 * @param processAddress position of the worker in the program, with its number
 * @param jobKey the key with which the worker proves its identity
 * @param parent the name of the process that started it
 * @param transport the transport to dial with
 * @param address where to dial
 * @param maxFrameLength the greatest length of a frame at the master's end of the link
 * @param config the effective configuration of the master
 * @param properties system properties, unless the worker's own command line sets them
 * @param classPath the files of the program's classes, if the worker reads the same ones
 */
public record Bootstrap(
        String sessionId,
        ProcessAddress processAddress,
        Secret jobKey,
        String name,
        String parent,
        ProviderName transport,
        Address address,
        int maxFrameLength,
        Map<String, String> config,
        Map<String, String> properties,
        ClassPathSnapshot classPath) {

    private static final int MAGIC = 0x46425207;

    private static final int JAR = 1;
    private static final int DIRECTORY = 2;

    public Secret encode() {
        PayloadOutput out = new PayloadOutput();
        out.writeInt(MAGIC);
        out.writeText(sessionId);
        out.writeText(processAddress.program());
        processAddress.path().writeTo(out);
        byte[] key = jobKey.copyBytes();
        out.writeVarLong(key.length);
        out.write(key, 0, key.length);
        out.writeText(name);
        out.writeText(parent);
        out.writeText(transport.name());
        out.writeText(transport.className());
        out.writeText(address.text());
        out.writeInt(maxFrameLength);
        out.writeTextMap(config);
        out.writeTextMap(properties);
        writeClassPath(out);
        return Secret.of(out.toPayload().toArray());
    }

    /**
     * Reads what {@link #encode} wrote.
     *
     * @throws IOException if it is something else
     */
    public static Bootstrap decode(byte[] bytes) throws IOException {
        PayloadInput in = Payload.of(bytes).open();
        if (in.remaining() < Integer.BYTES || in.readInt() != MAGIC) {
            throw new IOException("The bootstrap of " + bytes.length + " bytes is not one of this version.");
        }
        String sessionId = in.readText();
        ProcessAddress processAddress = new ProcessAddress(in.readText(), ProcessPath.readFrom(in));
        Secret jobKey = Secret.of(in.readExactly((int) in.readVarLong()));
        String name = in.readText();
        String parent = in.readText();
        ProviderName transport = new ProviderName(in.readText(), in.readText());
        Address address = new Address(in.readText());
        int maxFrameLength = in.readInt();
        Map<String, String> config = in.readTextMap();
        Map<String, String> properties = in.readTextMap();
        ClassPathSnapshot classPath = readClassPath(in);
        return new Bootstrap(
                sessionId,
                processAddress,
                jobKey,
                name,
                parent,
                transport,
                address,
                maxFrameLength,
                config,
                properties,
                classPath);
    }

    /**
     * Writes the class path. Most jars are in the directory of the one before, so only the end of a path that differs
     * from the last one is written.
     */
    private void writeClassPath(PayloadOutput out) {
        out.writeVarLong(classPath.entries().size());
        String last = "";
        for (ClassPathSnapshot.Entry entry : classPath.entries()) {
            String path = entry.path();
            int same = 0;
            while (same < Math.min(path.length(), last.length()) && path.charAt(same) == last.charAt(same)) {
                same++;
            }
            out.writeVarLong(same);
            out.writeText(path.substring(same));
            if (entry instanceof ClassPathSnapshot.Jar jar) {
                out.write(JAR);
                out.writeVarLong(jar.bytes());
                out.writeLong(jar.modifiedMs());
            } else if (entry instanceof ClassPathSnapshot.Directory directory) {
                out.write(DIRECTORY);
                out.writeLong(directory.newestMs());
            }
            last = path;
        }
    }

    private static ClassPathSnapshot readClassPath(PayloadInput in) throws IOException {
        long count = in.readVarLong();
        List<ClassPathSnapshot.Entry> entries = new ArrayList<>();
        String last = "";
        for (long i = 0; i < count; i++) {
            long same = in.readVarLong();
            if (same < 0 || same > last.length()) {
                throw new IOException("A path of the bootstrap's class path is damaged.");
            }
            String path = last.substring(0, (int) same) + in.readText();
            entries.add(
                    in.readByte() == JAR
                            ? new ClassPathSnapshot.Jar(path, in.readVarLong(), in.readLong())
                            : new ClassPathSnapshot.Directory(path, in.readLong()));
            last = path;
        }
        return new ClassPathSnapshot(entries);
    }

    /** Sets the properties that are not on this JVM's own command line. */
    public void setProperties() {
        for (Map.Entry<String, String> property : properties.entrySet()) {
            if (System.getProperty(property.getKey()) == null) {
                System.setProperty(property.getKey(), property.getValue());
            }
        }
    }
}
