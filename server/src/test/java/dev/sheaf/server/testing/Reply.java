package dev.sheaf.server.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.sheaf.model.wire.Page;
import dev.sheaf.model.wire.bundle.TagStatus;
import dev.sheaf.server.testing.contract.ContractCheck;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/// What a server answered. An answer of the API that is not as docs/openapi.yaml says fails the test that reads it.
public record Reply(HttpResponse<byte[]> response) {
    private interface Protectable {
        @JsonProperty("protected")
        boolean isProtected();
    }

    /// Times are texts in UTC; the library would read others too.
    private static final class Utc extends ValueDeserializer<Instant> {
        @Override
        public Instant deserialize(JsonParser parser, DeserializationContext context) {
            assertThat(parser.getString()).endsWith("Z");
            return Instant.parse(parser.getString());
        }
    }

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES) // so that the records stay complete
            .addModule(new SimpleModule().addDeserializer(Instant.class, new Utc()))
            .addMixIn(TagStatus.class, Protectable.class)
            .build();

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

    /// The text but for a name in it and the id of the request: what is hidden must look like what is missing.
    public String without(String name) {
        return text().replace(name, "NAME").replaceAll("\"requestId\":\"[^\"]*\"", "");
    }

    /// For what is no record of the API, or where the point is the JSON itself.
    public JsonNode json() {
        return JSON.readTree(response.body());
    }

    /// The answer as a record of the API, which must have a component for each member. A problem fails.
    public <T> T as(Class<T> type) {
        return as(JSON.constructType(type));
    }

    /// One page of a list of the API.
    public <T> Page<T> page(Class<T> type) {
        return as(JSON.getTypeFactory().constructParametricType(Page.class, type));
    }

    /// The entries of one page of a list.
    public <T> List<T> list(Class<T> type) {
        return page(type).data();
    }

    /// Where the next page of a list begins; fails on the last page.
    public String nextCursor() {
        return Objects.requireNonNull(page(Object.class).meta().nextCursor());
    }

    private <T> T as(JavaType type) {
        assertThat(status()).as(text()).isLessThan(400);
        return JSON.readValue(response.body(), type);
    }

    public ProblemBody problem() {
        return JSON.readValue(response.body(), ProblemBody.class);
    }

    /// @param problem the status and code, such as `409 tag-moved`
    public void assertRefused(String problem) {
        assertThat(refusal()).as(text()).isEqualTo(problem);
    }

    /// The status and code of a problem, such as `409 tag-moved`; the status alone where there is no code.
    public String refusal() {
        return (status() + " " + (status() < 400 ? "" : problem().code())).strip();
    }
}
