package dev.sheaf.client.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// Trees are those that the library's mapper makes.
class JsonTreeTest {
    private static final JsonMapper MAPPER = JsonMapper.shared();

    private static byte[] bytes(String json) {
        return json.getBytes(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "null",
                "true",
                "\"\"",
                "-0.5e3",
                "1e-999999999",
                "123456789012345678901234567890.5",
                "9223372036854775808",
                "{\"a\": [1, 2147483648, 1.25, -0, null, true, false, {\"b\": \"\\u00fc\\n\\\"\\ud83d\\ude00\"}], \"\": {}}",
                "{\"twice\": 1, \"twice\": 2}",
                " \n [[[[\"deep\"]]]] \t "
            })
    void isReadAndWrittenAsByTheMapper(String json) {
        var tree = Objects.requireNonNull(JsonTree.of(bytes(json)));

        assertThat(tree).isEqualTo(MAPPER.readTree(json));
        assertThat(MAPPER.readTree(JsonTree.write(tree))).isEqualTo(tree);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "[1,]",
                "{\"a\"}",
                "{\"a\":}",
                "nul",
                "'a'",
                "{} {}",
                "[1] x",
                "\"\u0001\"",
                "NaN",
                "]",
                "{1: 2}"
            })
    void isRefusedWhereItIsMalformed(String json) {
        assertThatThrownBy(() -> MAPPER.readTree(json)).isInstanceOf(JacksonException.class);
        assertThatThrownBy(() -> JsonTree.of(bytes(json))).isInstanceOf(JacksonException.class);
    }

    @Test
    void aNumberBeyondEveryRangeIsWrittenAsByTheMapper() {
        String json = "{\"a\":[1e999999999,-1e999]}";

        byte[] written = JsonTree.write(Objects.requireNonNull(JsonTree.of(bytes(json))));

        assertThat(new String(written, StandardCharsets.UTF_8))
                .isEqualTo(MAPPER.readTree(json).toString());
        assertThat(JsonTree.of(written)).isNotNull();
    }

    @Test
    void isRefusedWhereItIsTooDeepForTheStack() {
        assertThatThrownBy(() -> JsonTree.of(bytes("[".repeat(100_000)))).isInstanceOf(JacksonException.class);
    }

    @Test
    void isNothingWhereThereIsNothing() {
        assertThat(JsonTree.of(bytes(" "))).isNull();
    }
}
