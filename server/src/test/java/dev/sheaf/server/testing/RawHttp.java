package dev.sheaf.server.testing;

import dev.sheaf.server.testing.contract.ContractCheck;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;

/// Any bytes to a server, and what comes back.
public final class RawHttp {
    private static final int PATIENCE_MILLIS = 20_000;
    private static final int MAX_ANSWER = 1 << 20;

    private final int port;

    public RawHttp(String host) {
        this.port = Integer.parseInt(host.substring(host.lastIndexOf(':') + 1));
    }

    public static byte[] bytes(String latin1) {
        return latin1.getBytes(StandardCharsets.ISO_8859_1);
    }

    /// The answer, as far as it came until the server closed the connection; "" where it closed without one.
    ///
    /// @throws AssertionError where the server neither answers nor closes
    public String send(byte[] request) {
        var answer = new ByteArrayOutputStream();
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            try {
                socket.getOutputStream().write(request);
                socket.shutdownOutput();
            } catch (SocketException e) {
                // the server has read enough of it; what it said about it may still come
            }
            var buffer = new byte[8_192];
            for (int n = socket.getInputStream().read(buffer); n >= 0 && answer.size() < MAX_ANSWER; ) {
                answer.write(buffer, 0, n);
                n = socket.getInputStream().read(buffer);
            }
        } catch (SocketTimeoutException e) {
            throw new AssertionError(
                    "no end after " + PATIENCE_MILLIS + " ms; so far: " + answer.toString(StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            // the server has closed the connection while we wrote
        }
        check(request, answer.toByteArray());
        return answer.toString(StandardCharsets.ISO_8859_1);
    }

    /// Compares the first answer with docs/openapi.yaml, if it is the API's: what HTTP itself refuses is none.
    private static void check(byte[] request, byte[] answer) {
        String text = new String(answer, StandardCharsets.ISO_8859_1);
        int end = text.indexOf("\r\n\r\n");
        var asked = new String(request, StandardCharsets.ISO_8859_1).split("[ ?\r\n]", 3);
        if (status(text) == 0 || end < 0 || asked.length < 3 || !asked[1].startsWith("/")) {
            return;
        }
        var headers = new HashMap<String, List<String>>();
        text.substring(0, end).lines().skip(1).forEach(line -> {
            int colon = line.indexOf(':');
            headers.computeIfAbsent(line.substring(0, colon).strip(), name -> new ArrayList<>())
                    .add(line.substring(colon + 1).strip());
        });
        var fields = HttpHeaders.of(headers, (name, value) -> true);
        int length = (int) fields.firstValueAsLong("Content-Length").orElse(0);
        if (fields.firstValue("X-Request-Id").isPresent() && end + 4 + length <= answer.length) {
            String method = asked[0];
            byte[] body = Arrays.copyOfRange(answer, end + 4, end + 4 + (method.equals("HEAD") ? 0 : length));
            ContractCheck.check(method, asked[1], status(text), fields, body);
        }
    }

    /// The status of an answer; 0 where there was none.
    public static int status(String answer) {
        return answer.matches("(?s)HTTP/1\\.1 [0-9]{3} .*") ? Integer.parseInt(answer.substring(9, 12)) : 0;
    }
}
