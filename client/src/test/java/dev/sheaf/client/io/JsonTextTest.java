package dev.sheaf.client.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// In another program's JSON file, one entry changes and no other byte.
class JsonTextTest {
    private static final JsonNode VALUE = WireJson.strict("""
            {"command": "npx", "args": ["-y", "x"], "env": {"A": "b"}}
            """.getBytes(StandardCharsets.UTF_8));

    private static final String PRINTED = """
            {
                  "command": "npx",
                  "args": ["-y", "x"],
                  "env": {
                    "A": "b"
                  }
                }""";

    private static JsonText put(String text) {
        return new JsonText(text).with("servers", "new", VALUE);
    }

    @Test
    void aNewFileIsIndentedByTwo() {
        assertThat(put("{}\n").text()).isEqualTo("""
                {
                  "servers": {
                    "new": %s
                  }
                }
                """.formatted(PRINTED));
    }

    @Test
    void itComesBehindTheOthersAndTheyStayAsTheyAre() {
        String before = """
                {
                  "theme" : "dark",   "servers":{
                    "a":   {"command":"b"}
                  },
                  "z": [1,2 , 1.50]
                }
                """;

        assertThat(put(before).text())
                .isEqualTo(before.replace("{\"command\":\"b\"}", "{\"command\":\"b\"},\n    \"new\": " + PRINTED));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"servers\":{\"a\":{}}}",
                "{\"servers\": {\"a\": 1}, \"b\": \"}\"}",
                "{\n  \"servers\": {\n    \"a\": {}\n  }\n}\n",
                "{\r\n\t\"servers\": {\r\n\t\t\"a\": \"x\"\r\n\t}\r\n}",
                "{\n  // mine, and yours\n  \"servers\": {\n    \"a\": {}, // last, really\n  },\n}\n",
                "{\n  \"servers\": { /* , */\n    \"a\": {} /* , */\n  }\n}\n",
                "{\"x\": \"// no comment\", \"servers\": {\n\"a\": [1, {\"b\": \"]}\"}], \"c\": null }}",
                "{\n  \"servers\": {}\n}\n",
                "{\"servers\": {}}",
                "{\"servers\": {\"\\u0061\": {}, \"\u00e4\uD83D\uDE00\": \"\uD83D\uDE00\"}}"
            })
    void whatIsAddedAndRemovedLeavesEveryByteAsItWas(String before) {
        var after = put(before);

        assertThat(after.entry("servers", "new")).contains(VALUE);
        assertThat(after.without("servers", "new").text()).isEqualTo(before);
        assertThat(after.text().contains("\r\n")).isEqualTo(before.contains("\r\n"));
        assertThat(after.text().replace("\r\n", "").contains("\n"))
                .isEqualTo(before.contains("\n") && !before.contains("\r\n") || before.endsWith("{}}"));
    }

    @Test
    void anEntryIsReplacedWhereItStands() {
        String before = "{\n  \"servers\": {\n    \"new\": {\"old\": true}, // why\n    \"b\": {}\n  }\n}\n";

        assertThat(put(before).text()).isEqualTo(before.replace("{\"old\": true}", PRINTED));
    }

    @Test
    void theFirstAndOneInTheMiddleAreRemovedWithTheirCommas() {
        String before = "{\n  \"servers\": {\n    \"a\": {},\n    // of b\n    \"b\": {},\n    \"c\": {}\n  }\n}\n";
        var text = new JsonText(before);

        assertThat(text.without("servers", "a").text()).isEqualTo(before.replace("\n    \"a\": {},", ""));
        assertThat(text.without("servers", "b").text()).isEqualTo(before.replace("\n    \"b\": {},", ""));
        assertThat(text.without("servers", "c").text()).isEqualTo(before.replace(",\n    \"c\": {}", ""));
        assertThat(text.without("servers", "d").text()).isEqualTo(before);
        assertThat(text.without("other", "a").text()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{",
                "{\"servers\": {}} x",
                "{\"servers\": {}, \"servers\": {}}",
                "{\"servers\": {\"a\": 1, \"a\": 2}}",
                "null",
                "{'servers': {}}"
            })
    void whatIsNoObjectIsRefused(String text) {
        assertThatThrownBy(() -> put(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"servers\": []}", "{\"servers\": null}", "{\"servers\": \"x\"}"})
    void aMemberThatIsNoObjectIsRefused(String text) {
        assertThatThrownBy(() -> put(text)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new JsonText(text).entry("servers", "new"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
