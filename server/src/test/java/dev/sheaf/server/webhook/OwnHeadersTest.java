package dev.sheaf.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/// Which headers of its own a receiver may have, and what is said of others.
class OwnHeadersTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static OwnHeaders parse(String headers) {
        return RequestFields.of(JSON.readTree("{\"headers\": " + headers + "}")).to(OwnHeaders::parse);
    }

    private static List<String> errors(String headers) {
        try {
            return List.of(parse(headers).toString());
        } catch (ProblemException e) {
            return ((Problem.ValidationFailed) e.problem())
                    .errors().stream().map(Problem.FieldError::detail).toList();
        }
    }

    @Test
    void comeBackAsTheyWereGivenAndHideTheirValues() {
        var headers = parse("{\"X-Token\": \"a: b\\tc\", \"Authorization\": \"Bearer t\"}");

        assertThat(OwnHeaders.decode(headers.encode())).isEqualTo(headers);
        assertThat(headers.names()).containsExactly("X-Token", "Authorization");
        assertThat(headers.toString()).doesNotContain("Bearer");
    }

    /// The last two would be another header, or another request.
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '|',
            value = {
                "{\"Host\": \"a\"},must not contain Host",
                "{\"Proxy-Authorization\": \"a\"},must not contain Proxy-Authorization",
                "{\"webhook-id\": \"a\"},must not contain webhook-id",
                "{\"Webhook_Signature\": \"a\"},must not contain Webhook_Signature",
                "{\"X Token\": \"a\"},has a name that is not a valid header name",
                "{\"\": \"a\"},has a name that is not a valid header name",
                "|{\"X-Token\": \"a\", \"x-token\": \"b\"}|,contains x-token twice",
                "{\"X-Token\": \"\"},must have 1 to",
                "{\"X-Token\": null},must have 1 to",
                "{\"X-Token\": \" a\"},must have 1 to",
                "{\"X-Token\": \"a\\r\\nX-Other: b\"},must have 1 to",
                "{\"X-Token\\r\\nX-Other\": \"b\"},has a name that is not a valid header name"
            })
    void areRefusedWithTheRule(String headers, String rule) {
        assertThat(errors(headers)).anySatisfy(error -> assertThat(error).contains(rule));
    }

    /// However many there are, it is said once, and nothing is done with each of them.
    @Test
    void areFive() {
        String many = IntStream.range(0, 20_000)
                .mapToObj(i -> "\"X-%d\": \"\"".formatted(i))
                .collect(Collectors.joining(",", "{", "}"));

        assertThat(errors(many)).singleElement().asString().contains("\"headers\" has 20000 members; at most 5");
        assertThatThrownBy(() -> parse("[]")).isInstanceOf(ProblemException.class);
    }
}
