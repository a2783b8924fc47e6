package dev.sheaf.engine.net;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RemoteDocumentsTest {
    private final RemoteDocuments documents = new RemoteDocuments(Duration.ofMillis(300));

    /// A provider that stops in the middle must not stop those who sign in.
    @Test
    @Timeout(30)
    void anAnswerThatStopsInTheMiddleIsGivenUp() throws Exception {
        try (var provider = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> answerByHalf(provider));
            var address = URI.create("http://127.0.0.1:" + provider.getLocalPort() + "/keys");

            assertThatThrownBy(() -> documents.read(address))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("in full");
            assertThatThrownBy(() -> documents.post(address, "a=b", null))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("in full");
        }
    }

    private static void answerByHalf(ServerSocket provider) {
        try {
            while (true) {
                var socket = provider.accept(); // closed by the other side
                socket.getOutputStream()
                        .write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{".getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException e) {
            // the test is over
        }
    }
}
