package dev.sheaf.server.org.key;

import static dev.sheaf.server.testing.Refusals.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.engine.input.SecretOverlap;
import dev.sheaf.model.Problem;
import dev.sheaf.model.key.Scope;
import dev.sheaf.server.http.message.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What is read of a request about keys, without a server.
class KeyInputTest {
    private static final Instant NOW = Instant.parse("2030-01-31T12:00:00Z");

    private static <T> T read(String json, Function<RequestFields, T> command) {
        return RequestFields.of(Json.read(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8)))
                .to(command);
    }

    private static NewKey key(String json) {
        return read(json, fields -> NewKey.parse(fields, NOW));
    }

    @Test
    void aKeyOfWhichOnlyTheNameIsSaidReadsForEver() {
        var key = key("{'name':'ci'}");

        assertThat(key.scopes()).containsExactly(Scope.READ);
        assertThat(key.expiresAt()).isNull();
        assertThat(key.restrictions().isNone()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"P1M, 2030-02-28T12:00:00Z", "PT12H, 2030-02-01T00:00:00Z", "P90D, 2030-05-01T12:00:00Z"})
    void expiresInCountsFromNow(String period, Instant end) {
        assertThat(key("{'name':'ci','expiresIn':'" + period + "'}").expiresAt())
                .isEqualTo(end);
    }

    /// Columns: what is sent; where each fault is.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "{}                                                             | /name",
                "{'name':'ci','colour':'red'}                                   | /colour",
                "{'name':'ci','scopes':[]}                                      | /scopes",
                "{'name':'ci','scopes':['read','read','all']}                   | /scopes/1 /scopes/2",
                "{'name':'ci','expiresIn':'-P1D'}                               | /expiresIn",
                "{'name':'ci','expiresIn':'soon'}                               | /expiresIn",
                "{'name':'ci','expiresIn':'P1D','expiresAt':'2031-01-01T00:00:00Z'} | /expiresIn",
                "{'name':' ','restrictions':{'cidrs':['10.0.0.1/8'],'bundles':['a']}} "
                        + "| /name /restrictions/bundles/0 /restrictions/cidrs/0",
            })
    void tellsEveryFaultByItsPlace(String json, String pointers) {
        var failed = refusal(Problem.ValidationFailed.class, () -> key(json));

        assertThat(failed.errors())
                .extracting(Problem.FieldError::pointer)
                .containsExactlyInAnyOrderElementsOf(Arrays.asList(pointers.split(" ")));
    }

    @Test
    void anEditTellsWhatIsLeftOutFromWhatIsToGo() {
        assertThat(read("{}", KeyEdit::parse)).isEqualTo(new KeyEdit(null, false, null, null));
        assertThat(read("{'description':null,'disabled':null}", KeyEdit::parse))
                .isEqualTo(new KeyEdit(null, true, null, false));
    }

    @Test
    void anEditChangesNoRights() {
        var failed =
                refusal(Problem.ValidationFailed.class, () -> read("{'name':'ci','scopes':['admin']}", KeyEdit::parse));

        assertThat(failed.errors()).extracting(Problem.FieldError::code).containsExactly("immutable");
    }

    @ParameterizedTest
    @CsvSource({"PT0S, true", "P30D, true", "P30DT1S, false", "-PT1S, false", "P1M, false"})
    void anOverlapIsOfThirtyDaysAtMost(String text, boolean fits) {
        String json = "{'overlap':'" + text + "'}";

        if (fits) {
            assertThat(read(json, SecretOverlap::parse)).isEqualTo(Duration.parse(text));
        } else {
            refusal(Problem.ValidationFailed.class, () -> read(json, SecretOverlap::parse));
        }
    }

    @Test
    void theUsualExpiryIsNoLongerThanTheLongest() {
        var failed = refusal(
                Problem.ValidationFailed.class,
                () -> read("{'defaultExpiry':'P91D','maxExpiry':'P90D'}", KeyPolicy::parse));

        assertThat(failed.errors()).extracting(Problem.FieldError::pointer).containsExactly("/defaultExpiry");
    }
}
