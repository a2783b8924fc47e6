package dev.sheaf.engine.net;

import com.nimbusds.jose.util.Resource;
import com.nimbusds.jose.util.ResourceRetriever;
import dev.sheaf.engine.net.OutgoingClient.Call;
import dev.sheaf.engine.net.OutgoingClient.Limits;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads small documents of OpenID providers from addresses that the operator has set. Thread-safe.
public final class RemoteDocuments implements ResourceRetriever {
    private static final Duration LIMIT = Duration.ofSeconds(5);
    private static final int MAX_BYTES = 512 << 10;

    private final Limits limits;
    private final OutgoingClient client = new OutgoingClient(AllowedTargets.OPERATOR, null);

    public RemoteDocuments() {
        this(LIMIT);
    }

    /// @param limit the time for a document, from the connection to its last byte
    public RemoteDocuments(Duration limit) {
        this.limits = new Limits(limit, MAX_BYTES);
    }

    @Override
    public Resource retrieveResource(URL url) throws IOException {
        try {
            return new Resource(read(url.toURI()), "application/json");
        } catch (URISyntaxException e) {
            throw new IOException("not an address: " + url, e);
        }
    }

    public String read(URI address) throws IOException {
        return send(new Call("GET", address, Map.of("Accept", "application/json"), null, limits, Call.OPERATOR));
    }

    /// Sends a form (application/x-www-form-urlencoded) and reads the answer.
    public String post(URI address, String form, @Nullable String authorization) throws IOException {
        var headers = new HashMap<>(
                Map.of("Accept", "application/json", "Content-Type", "application/x-www-form-urlencoded"));
        if (authorization != null) {
            headers.put("Authorization", authorization);
        }
        return send(new Call("POST", address, headers, form.getBytes(StandardCharsets.UTF_8), limits, Call.OPERATOR));
    }

    private String send(Call call) throws IOException {
        try {
            var reply = client.send(call);
            if (reply.status() != 200) {
                throw new IOException("answered " + reply.status());
            }
            if (!reply.whole()) {
                throw new IOException("answered with more than " + limits.bytes() + " bytes");
            }
            return new String(reply.body(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IOException(call.address() + ": " + e.getMessage(), e);
        }
    }
}
