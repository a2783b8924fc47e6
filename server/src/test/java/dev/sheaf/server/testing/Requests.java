package dev.sheaf.server.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/// Requests to one server, over HTTP/1.1.
public final class Requests implements AutoCloseable {
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String url;

    /// @param url without a slash at its end
    public Requests(String url) {
        this.url = url;
    }

    public Reply get(String path, @Nullable String credential) {
        return send(request("GET", path, credential, null));
    }

    public Reply post(String path, @Nullable String credential, String json) {
        return send(request("POST", path, credential, json));
    }

    public Reply send(String method, String path, @Nullable String credential, @Nullable String json) {
        return send(request(method, path, credential, json));
    }

    /// A request to be finished by the test.
    public HttpRequest.Builder request(String method, String path, @Nullable String credential, @Nullable String json) {
        var request = HttpRequest.newBuilder(URI.create(url + path))
                .method(method, json == null ? BodyPublishers.noBody() : BodyPublishers.ofString(json));
        if (json != null) {
            request.header("Content-Type", "application/json");
        }
        if (credential != null) {
            request.header("Authorization", "Bearer " + credential);
        }
        return request;
    }

    /// Sends a form; the fields are pairs of name and value.
    public Reply form(String path, @Nullable String credential, String... fields) {
        var body = new StringJoiner("&");
        for (int i = 0; i < fields.length; i += 2) {
            body.add(fields[i] + "=" + URLEncoder.encode(fields[i + 1], StandardCharsets.UTF_8));
        }
        return send(request("POST", path, credential, body.toString())
                .setHeader("Content-Type", "application/x-www-form-urlencoded"));
    }

    public Reply send(HttpRequest.Builder request) {
        try {
            return new Reply(client.send(request.build(), BodyHandlers.ofByteArray()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
