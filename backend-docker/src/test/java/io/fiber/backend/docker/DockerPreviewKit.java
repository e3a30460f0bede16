// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.backend.support.SessionLabels;
import io.fiber.tck.probe.Glutton;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a preview shows is what Docker takes. {@link DockerEngineTest} runs it beside a real engine. */
class DockerPreviewKit {

    private static final Pattern POST = Pattern.compile("(?m)^POST (\\S+)\n(\\{(?s:.*?)^})$");

    @TempDir
    Path directory;

    @Test
    void requestsOfAPreviewAreTakenByDocker() throws IOException {
        try (KitSession session = new KitSession(directory, Map.of())) {
            String shown = session.preview(KitSession.java(Glutton.class)).orElseThrow();
            assertThat(KitSession.remains(session.engine())).isEmpty();
            SessionLabels labels = new SessionLabels("kitsession01", Map.of());
            try {
                Matcher request = POST.matcher(shown);
                while (request.find()) {
                    assertThat(post(request.group(1), request.group(2)))
                            .as(request.group())
                            .contains(" 201 ");
                }
                assertThat(KitSession.remains(session.engine()))
                        .as("a container, a volume of the class path, and one for the bootstrap")
                        .hasSize(3);
            } finally {
                session.engine().remove(labels.name("job-0"));
                session.engine()
                        .tell(docker -> docker.removeVolumeCmd(labels.name()).exec());
            }
        }
    }

    /** Returns the first line of the answer. */
    private static String post(String place, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        String head =
                "POST " + place + " HTTP/1.0\r\nHost: docker\r\nContent-Type: application/json\r\nContent-Length: "
                        + bytes.length + "\r\n\r\n";
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(DockerFixture.socket()))) {
            for (byte[] part : new byte[][] {head.getBytes(StandardCharsets.UTF_8), bytes}) {
                ByteBuffer buffer = ByteBuffer.wrap(part);
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
            }
            byte[] answer = Channels.newInputStream(channel).readAllBytes();
            return new String(answer, StandardCharsets.UTF_8)
                    .lines()
                    .findFirst()
                    .orElse("");
        }
    }
}
