package dev.sheaf.server.http.message;

import static dev.sheaf.server.testing.Refusals.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sheaf.model.Gen;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.wire.Page;
import dev.sheaf.model.wire.bundle.Layer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class JsonTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "{\"a\":1,\"a\":2}",
                "{\"o\":{\"a\":1,\"a\":1}}",
                "{} {}",
                "{} x",
                "{\"a\":1,}",
                "{a:1}",
                "{'a':1}",
                "// c\n{}",
                "NaN",
                "{\"a\":\"\n\"}",
                "nul",
                "{\"\\ud83d\":1}"
            })
    void refusesWhatIsNoJsonDocument(String text) {
        assertThat(refusal(Problem.BadRequest.class, () -> read(text)).detail())
                .startsWith("the body is not valid JSON");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\n"})
    void refusesAnEmptyBody(String text) {
        assertThat(refusal(Problem.BadRequest.class, () -> read(text)).detail()).startsWith("the body is empty");
    }

    @Test
    void refusesBytesThatAreNoUtf8() {
        byte[] bytes = {'{', '"', 'a', '"', ':', '"', (byte) 0xC3, (byte) 0x28, '"', '}'};

        assertThat(refusal(() -> Json.read(bytes))).isInstanceOf(Problem.BadRequest.class);
    }

    @Test
    void bounds64LevelsOfNesting() {
        assertThat(read("[".repeat(64) + "]".repeat(64)).isArray()).isTrue();
        assertThat(refusal(() -> read("[".repeat(65) + "]".repeat(65)))).isInstanceOf(Problem.BadRequest.class);
        assertThat(refusal(() -> read("[".repeat(1_000_000)))).isInstanceOf(Problem.BadRequest.class);
    }

    @Test
    void saysWhereItBreaksAndNothingOfTheContent() {
        assertThat(refusal(() -> read("{\"password\": hunter2}")).detail())
                .contains("line 1, column")
                .doesNotContain("hunter2", "password");
    }

    @Test
    void failsOnNoOtherException() {
        Gen.forAll(3_000, gen -> {
            String text = gen.text("{}[]\",:0123eE+-. truefalsn\\u", 0, 30);
            try {
                read(text);
            } catch (ProblemException e) {
                assertThat(e.problem()).isInstanceOf(Problem.BadRequest.class);
            }
        });
    }

    @Test
    void leavesOutWhatIsAbsentAndWritesTimesInUtc() {
        var layer = new Layer(new UUID(0, 1), "a", "skill", "00", 5, null, null);

        assertThat(write(layer))
                .isEqualTo("{\"assetId\":\"00000000-0000-0000-0000-000000000001\",\"logicalPath\":\"a\","
                        + "\"assetType\":\"skill\",\"contentSha256\":\"00\",\"sizeBytes\":5}");
        assertThat(write(Map.of("at", Instant.parse("2030-01-31T12:00:00.123Z"))))
                .isEqualTo("{\"at\":\"2030-01-31T12:00:00.123Z\"}");
    }

    /// Contract 1.3: both members of meta are always present.
    @Test
    void writesTheNullOfALastPage() {
        assertThat(write(Page.of(List.of(), null)))
                .isEqualTo("{\"data\":[],\"meta\":{\"nextCursor\":null,\"hasMore\":false}}");
    }

    private static JsonNode read(String text) {
        return Json.read(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String write(Object value) {
        return new String(Json.write(value), StandardCharsets.UTF_8);
    }

    /// Three bytes of such a text take a hundred in memory.
    @Test
    void aSmallDocumentHasABoundedNumberOfValues() {
        byte[] many = ("[" + "{},".repeat(300_000) + "{}]").getBytes(StandardCharsets.UTF_8);
        byte[] fewer = ("[" + "{},".repeat(50_000) + "{}]").getBytes(StandardCharsets.UTF_8);

        assertThatThrownBy(() -> Json.read(many))
                .satisfies(e ->
                        assertThat(((ProblemException) e).problem().detail()).contains("has too many values"));
        assertThat(Json.read(fewer).size()).isEqualTo(50_001);
        assertThat(Json.isDocument(many))
                .as("what is only looked at takes none")
                .isTrue();
    }

    /// A body of one megabyte that is all brackets takes many megabytes once it is parsed; texts do not count.
    @Test
    void theFormOfADocumentIsCountedByItsStructure() {
        String objects = "[" + "{},".repeat(1_000) + "{}]";
        String members = "{\"a\":1,\"b\":[true,null]}";
        String text = "[\"{{[[,,::\\\"{,\\\\\"]";

        assertThat(Json.bytesOfForm(objects.getBytes(StandardCharsets.UTF_8))).isGreaterThan(50L * objects.length());
        assertThat(Json.bytesOfForm(members.getBytes(StandardCharsets.UTF_8))).isEqualTo(150 + 80 + 4 * 70);
        assertThat(Json.bytesOfForm(text.getBytes(StandardCharsets.UTF_8))).isEqualTo(80);
        assertThat(Json.bytesOfForm("no JSON \"".getBytes(StandardCharsets.UTF_8)))
                .isZero();
    }
}
