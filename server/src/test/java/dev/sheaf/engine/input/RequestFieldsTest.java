package dev.sheaf.engine.input;

import static dev.sheaf.server.testing.Refusals.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.sheaf.model.BundleName;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Problem.FieldError;
import dev.sheaf.server.http.message.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestFieldsTest {
    private static final BundleName NONE = BundleName.parseBundle("none");

    @Test
    void readsMembersOfEveryKind() {
        var fields = fields("""
                {"name": "n", "slug": "kit", "tags": ["a", "b"], "one": {"x": "y"}, "many": [{"x": "1"}, {"x": "2"}],
                 "text": "größe\\n", "bytes": "AQI=", "nothing": null}""");

        assertThat(fields.required("name", 1)).isEqualTo("n");
        assertThat(fields.parsed("slug", BundleName::parseBundle, NONE)).hasToString("kit");
        assertThat(fields.texts("tags")).containsExactly("a", "b");
        assertThat(fields.object("one"))
                .isNotNull()
                .satisfies(one -> assertThat(one.optional("x", 9)).isEqualTo("y"));
        assertThat(fields.objects("many", 2))
                .extracting(one -> one.optional("x", 9))
                .containsExactly("1", "2");
        assertThat(fields.utf8("text", 99)).asString(StandardCharsets.UTF_8).isEqualTo("größe\n");
        assertThat(fields.base64("bytes")).containsExactly(1, 2);
        fields.finish();
    }

    @Test
    void readsNullAsAbsent() {
        var fields = fields("{\"a\": null}");

        assertThat(fields.has("a")).isFalse();
        assertThat(fields.optional("a", 1)).isNull();
        assertThat(fields.texts("a")).isNull();
        assertThat(fields.object("a")).isNull();
        assertThat(fields.objects("a", 1)).isEmpty();
        assertThat(fields.utf8("a", 1)).isNull();
        assertThat(fields.base64("a")).isNull();
        assertThat(fields.parsedOr("a", BundleName::parseBundle, NONE)).isEqualTo(NONE);
        fields.finish();
    }

    @Test
    void collectsEveryErrorWithItsPointer() {
        var json = """
                {"blank": " ", "long": "12345", "number": 1, "slug": "Bad", "tags": ["a", 1], "many": [1, {"slug": "B"}],
                 "one": [], "bytes": "?", "nul": "a\\u0000", "half": "\\ud83d", "text": 5}""";

        var errors = errors(json, fields -> {
            fields.required("missing", 9);
            fields.required("blank", 9);
            fields.optional("long", 4);
            fields.optional("number", 9);
            fields.parsed("slug", BundleName::parseBundle, NONE);
            fields.parsed("absent", BundleName::parseBundle, NONE);
            fields.texts("tags");
            fields.objects("many", 2).forEach(one -> one.parsed("slug", BundleName::parseBundle, NONE));
            fields.object("one");
            fields.base64("bytes");
            fields.optional("nul", 9);
            fields.optional("half", 9);
            fields.utf8("text", 9);
        });

        assertThat(errors)
                .extracting(FieldError::pointer, FieldError::code)
                .containsExactly(
                        tuple("/missing", "required"),
                        tuple("/blank", "required"),
                        tuple("/long", "too-long"),
                        tuple("/number", "type"),
                        tuple("/slug", "format"),
                        tuple("/absent", "required"),
                        tuple("/tags/1", "type"),
                        tuple("/many/0", "type"),
                        tuple("/many/1/slug", "format"),
                        tuple("/one", "type"),
                        tuple("/bytes", "format"),
                        tuple("/nul", "format"),
                        tuple("/half", "format"),
                        tuple("/text", "type"));
    }

    @Test
    void countsLimitsInCharactersBytesAndEntries() {
        var errors = errors("{\"a\": \"é\", \"b\": [{}, {}]}", fields -> {
            assertThat(fields.optional("a", 1)).isEqualTo("é");
            assertThat(fields.utf8("a", 2)).hasSize(2);
            fields.utf8("a", 1);
            fields.objects("b", 1);
        });

        assertThat(errors)
                .extracting(FieldError::pointer, FieldError::code)
                .containsExactly(tuple("/a", "too-long"), tuple("/b", "range"));
    }

    @Test
    void keepsTheCharactersOfContentThatNamesMayNotHold() {
        var fields = fields("{\"a\": \"x\\u0000\\ufffd\\n\"}");

        assertThat(fields.utf8("a", 99)).asString(StandardCharsets.UTF_8).isEqualTo("x\0\uFFFD\n");
        fields.finish();
    }

    @Test
    void namesUnknownMembersAndWhatThereIsInstead() {
        var errors = errors("{\"name\": \"n\", \"expiresAtt\": \"x\"}", fields -> fields.only(Set.of("name", "a")));

        assertThat(errors)
                .containsExactly(new FieldError(
                        "/expiresAtt",
                        "unknown",
                        "\"expiresAtt\" is not a member of this request; the members are a, name"));
    }

    /// RFC 6901, section 3.
    @Test
    void refusesNumbersThatItCouldNotKeep() {
        var errors = errors("{\"a\": {\"b\": [1e308, 1e400]}, \"c\": [1e-400, 12345678901234567890]}", fields -> {
            assertThat(fields.json("a", 1_000)).isNull();
            assertThat(fields.json("c", 1_000)).hasToString("[0.0,12345678901234567890]");
        });

        assertThat(errors).extracting(FieldError::pointer).containsExactly("/a");
    }

    @Test
    void escapesThePointersOfUnknownMembers() {
        var errors = errors("{\"a/b\": 1, \"m~n\": 1, \"\": 1, \" \": 1}", fields -> fields.only(Set.of()));

        assertThat(errors).extracting(FieldError::pointer).containsExactly("/a~1b", "/m~0n", "/", "/ ");
        assertThat(errors.getFirst().detail()).startsWith("\"a/b\" is not a member");
    }

    @Test
    void pointsAtTheObjectWhereTheNameOfAnUnknownMemberWouldFillTheAnswer() {
        var errors = errors(
                "{\"one\": {\"" + "n".repeat(5_000) + "\": 1}}",
                fields -> Objects.requireNonNull(fields.object("one")).only(Set.of()));

        assertThat(errors).extracting(FieldError::pointer).containsExactly("/one");
        assertThat(errors.getFirst().detail()).hasSizeLessThan(300);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "null", "1", "\"a\""})
    void refusesADocumentThatIsNoObject(String json) {
        assertThat(refusal(Problem.ValidationFailed.class, () -> fields(json)).detail())
                .isEqualTo("the body must be a JSON object");
    }

    private static RequestFields fields(String json) {
        return RequestFields.of(Json.read(json.getBytes(StandardCharsets.UTF_8)));
    }

    private static List<FieldError> errors(String json, Consumer<RequestFields> reading) {
        var fields = fields(json);
        reading.accept(fields);
        return refusal(Problem.ValidationFailed.class, fields::finish).errors();
    }
}
