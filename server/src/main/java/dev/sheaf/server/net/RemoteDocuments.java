package dev.sheaf.server.net;

import com.nimbusds.jose.util.Resource;
import com.nimbusds.jose.util.ResourceRetriever;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Reads the small documents of OpenID providers: bounded in time and size, and never led elsewhere by a redirect.
/// Thread-safe.
public final class RemoteDocuments implements ResourceRetriever {
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final long MAX_BYTES = 512 << 10;

    private final Duration limit;
    private final HttpClient client;

    public RemoteDocuments() {
        this(LIMIT);
    }

    /// @param limit for a document, from the connection to its last byte
    public RemoteDocuments(Duration limit) {
        this.limit = limit;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(limit)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    @Override
    public Resource retrieveResource(URL url) throws IOException {
        try {
            return new Resource(read(url.toURI()), "application/json");
        } catch (URISyntaxException e) {
            throw new IOException("no address: " + url, e);
        }
    }

    public String read(URI address) throws IOException {
        return send(HttpRequest.newBuilder(address), address);
    }

    /// Sends a form (application/x-www-form-urlencoded) and reads the answer.
    public String post(URI address, String form, @Nullable String authorization) throws IOException {
        var request = HttpRequest.newBuilder(address)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form));
        if (authorization != null) {
            request.header("Authorization", authorization);
        }
        return send(request, address);
    }

    /// The client's own timeout ends with the headers of an answer, so the whole of it is waited for here.
    private String send(HttpRequest.Builder builder, URI address) throws IOException {
        var request = builder.header("Accept", "application/json").build();
        var coming = client.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_BYTES));
        try {
            var answer = coming.get(limit.toMillis(), TimeUnit.MILLISECONDS);
            if (answer.statusCode() != 200) {
                throw new IOException(address + " answered " + answer.statusCode());
            }
            return new String(answer.body(), StandardCharsets.UTF_8);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while reading " + address, e);
        } catch (ExecutionException e) {
            throw new IOException(address + " cannot be read", e.getCause());
        } catch (TimeoutException e) {
            throw new IOException(address + " has not answered in full within " + limit, e);
        } finally {
            coming.cancel(true); // closes the connection where the answer is still coming
        }
    }
}
