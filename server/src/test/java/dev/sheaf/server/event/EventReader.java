package dev.sheaf.server.event;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Reads a stream of events, one after the other, on a connection of its own.
final class EventReader implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final InputStream body;
    private final BufferedReader lines;
    private String id = "";
    private int ids;

    record Event(String id, String type, JsonNode data) {
        String subject() {
            return data.get("subject").stringValue();
        }
    }

    EventReader(HttpRequest.Builder request) throws IOException, InterruptedException {
        var response = client.send(request.header("Accept", "text/event-stream").build(), BodyHandlers.ofInputStream());
        if (response.statusCode() != 200) {
            throw new IOException("status " + response.statusCode());
        }
        this.body = response.body();
        this.lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
    }

    /// The next event; null where the stream has ended.
    @Nullable
    Event next() throws IOException {
        String type = "";
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith("id: ")) {
                id = line.substring(4);
                ids++;
            } else if (line.startsWith("event: ")) {
                type = line.substring(7);
            } else if (line.startsWith("data: ")) {
                return new Event(id, type, JSON.readTree(line.substring(6)));
            }
        }
        return null;
    }

    /// How often it was told where it is.
    int ids() {
        return ids;
    }

    @Override
    public void close() throws IOException {
        body.close();
        client.shutdownNow();
    }
}
