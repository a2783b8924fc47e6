package dev.sheaf.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Who asked for JSON gets it of a failure, too: the last line of standard error.
class JsonFailuresTest extends CommandLineFixture {
    private static JsonNode json(Ran ran) {
        assertThat(ran.out()).isEmpty();
        return JsonMapper.shared().readTree(List.of(ran.err().split("\n")).getLast());
    }

    @Test
    void aRefusalHasTheMembersOfTheProblem() {
        answer("/versions", 422, """
                {"status": 422, "code": "validation-failed", "detail": "/a: is wrong; 1 more", "requestId": "r1",
                 "errors": [{"pointer": "/a", "code": "format", "detail": "is wrong"},
                            {"pointer": "/b", "code": "range", "detail": "is too long"}]}""");

        var told = json(run("versions", "acme/kit", "--json"));

        assertThat(told.get("exitStatus").asInt()).isEqualTo(2);
        assertThat(told.get("status").asInt()).isEqualTo(422);
        assertThat(told.get("code").stringValue()).isEqualTo("validation-failed");
        assertThat(told.get("requestId").stringValue()).isEqualTo("r1");
        assertThat(told.at("/errors/1/pointer").stringValue()).isEqualTo("/b");
        assertThat(told.at("/errors/1/detail").stringValue()).isEqualTo("is too long");
    }

    @Test
    void adviceIsAMember() {
        var told = json(run("resolve", "acme/kit:1.0.0", "--format=json"));

        assertThat(told.get("code").stringValue()).isEqualTo("version-not-found");
        assertThat(told.get("next").stringValue()).contains("sheaf versions acme/kit");
        assertThat(told.has("errors")).isFalse();
    }

    @Test
    void misuseIsJsonToo() {
        var told = json(run("resolve", "--format", "json"));

        assertThat(told.get("exitStatus").asInt()).isEqualTo(2);
        assertThat(told.get("code").stringValue()).isEqualTo("usage");
        assertThat(told.get("detail").stringValue()).isEqualTo("REF is missing");
        assertThat(told.get("next").stringValue()).isEqualTo("see: sheaf resolve --help");
    }

    @Test
    void whatFailsOnThisSideHasNoStatus() {
        environment.put("SHEAF_URL", "http://127.0.0.1:1");

        var told = json(run("versions", "acme/kit", "--json"));

        assertThat(told.get("exitStatus").asInt()).isEqualTo(9);
        assertThat(told.has("status")).isFalse();
        assertThat(told.get("detail").stringValue()).contains("cannot connect");
    }
}
