package dev.sheaf.server.testing.contract;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The comparison sees what it is there to see.
class ContractCheckTest {
    private static final String PATH = "/v1/organizations/default";
    private static final String ORGANIZATION = """
            {"id": "01900000-0000-7000-8000-000000000000", "handle": "default", "name": "Default",
             "createdAt": "2026-01-15T09:00:00Z"}""";

    private final Map<String, List<String>> headers = new HashMap<>(Map.of(
            "Content-Type", List.of("application/json"),
            "ETag", List.of("\"0\""),
            "X-Request-Id", List.of("1"),
            "X-Trace-Id", List.of("0".repeat(32)),
            "Cache-Control", List.of("no-store")));

    private void check(String path, int status, String body) {
        ContractCheck.check(
                "GET",
                path,
                status,
                HttpHeaders.of(headers, (name, value) -> true),
                body.getBytes(StandardCharsets.UTF_8));
    }

    private void refused(int status, String body, String what) {
        assertThatThrownBy(() -> check(PATH, status, body))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("GET /v1/organizations/{org_id} " + status)
                .hasMessageContaining(what);
    }

    @Test
    void takesWhatIsDescribed() {
        assertThatCode(() -> check(PATH, 200, ORGANIZATION)).doesNotThrowAnyException();
    }

    @Test
    void refusesAMemberThatIsNotDescribed() {
        refused(200, ORGANIZATION.replace("{", "{\"size\": 1, "), "size");
    }

    @Test
    void refusesAMemberThatIsMissingOrNull() {
        refused(200, ORGANIZATION.replace("\"name\": \"Default\",", ""), "name");
        refused(200, ORGANIZATION.replace("\"Default\"", "null"), "/name");
    }

    @Test
    void refusesValuesThatAreNotWhatTheirNamesSay() {
        refused(200, ORGANIZATION.replace("00Z", "00+00:00"), "/createdAt");
        refused(200, ORGANIZATION.replace("00Z", "00z"), "/createdAt");
        refused(200, ORGANIZATION.replace("01900000-", "01900000"), "/id");
        refused(200, ORGANIZATION.replace("\"default\"", "\"De fault\""), "/handle");
    }

    @Test
    void refusesAStatusOrATypeThatIsNotDescribed() {
        refused(201, ORGANIZATION, "not described");
        headers.put("Content-Type", List.of("text/plain"));
        refused(200, ORGANIZATION, "text/plain");
    }

    @Test
    void refusesAMissingHeader() {
        headers.remove("ETag");
        refused(200, ORGANIZATION, "ETag");
        headers.remove("X-Trace-Id");
        refused(200, ORGANIZATION, "X-Trace-Id");
    }

    @Test
    void refusesAProblemThatContradictsItself() {
        headers.put("Content-Type", List.of("application/problem+json"));
        String problem = """
                {"type": "https://a.example/problems/not-found", "title": "Not found", "status": 404,
                 "detail": "nothing", "instance": "/", "code": "not-found", "requestId": "1"}""";

        assertThatCode(() -> check(PATH, 404, problem)).doesNotThrowAnyException();
        refused(403, problem, "/status");
        refused(404, problem.replace("\"not-found\"", "\"conflict\""), "/code");
        refused(404, problem.replace("https://a.example/problems/not-found", "about:blank"), "at most 4");
        refused(404, problem.replace("nothing", "n".repeat(4_096)), "less than 4096");
    }

    @Test
    void refusesABodyWhereNoneIsDescribed() {
        refused(304, ORGANIZATION, "has a body");
    }
}
