package dev.sheaf.server.testing;

import dev.sheaf.server.testing.contract.ContractCheck;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// What a server answered. An answer of the API that is not as docs/openapi.yaml says fails the test that reads it.
public record Reply(HttpResponse<byte[]> response) {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    public Reply {
        ContractCheck.check(response);
    }

    public int status() {
        return response.statusCode();
    }

    /// The value of a header, or "" where it is missing.
    public String header(String name) {
        return response.headers().firstValue(name).orElse("");
    }

    public String text() {
        return new String(response.body(), StandardCharsets.UTF_8);
    }

    public JsonNode json() {
        return JSON.readTree(response.body());
    }
}
