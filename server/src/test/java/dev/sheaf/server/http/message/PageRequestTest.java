package dev.sheaf.server.http.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.http.TinyServer;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

@SuppressWarnings("NullAway") // set by JUnit
class PageRequestTest {
    private static final List<String> ALL =
            IntStream.range(0, 250).mapToObj("k%03d"::formatted).toList();

    private final List<String> items = new ArrayList<>(ALL);
    private TinyServer server;

    @BeforeEach
    void open(@TempDir Path folder) {
        server = TinyServer.get(folder, "/{list}", this::list);
    }

    @AfterEach
    void close() {
        server.close();
    }

    private Answer list(Call call) {
        var paging = PageRequest.of(call, "state");
        String after = Objects.requireNonNullElse(paging.after(), "");
        var rows = items.stream()
                .filter(item -> item.compareTo(after) > 0)
                .limit(paging.fetch())
                .toList();
        return paging.answer(rows, Function.identity(), Function.identity());
    }

    @Test
    void hasTwentyEntriesUnlessAskedOtherwise() throws Exception {
        assertThat(data(server.get("/things"))).isEqualTo(ALL.subList(0, 20));
        assertThat(data(server.get("/things?limit=3"))).isEqualTo(ALL.subList(0, 3));
    }

    @ParameterizedTest
    @ValueSource(strings = {"100", "101", "99999999", "999999999999999999"})
    void hasAtMost100Entries(String limit) throws Exception {
        assertThat(data(server.get("/things?limit=" + limit))).hasSize(100);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "a", "", "1.5", "1e2", "+5", "9999999999999999999", "%D9%A1"})
    void refusesALimitThatIsNoNumber(String limit) throws Exception {
        var reply = server.get("/things?limit=" + limit);

        assertThat(reply.statusCode()).isEqualTo(422);
        assertThat(json(reply).at("/errors/0/parameter").stringValue()).isEqualTo("limit");
    }

    @Test
    void leadsThroughTheWholeListByItsLinks() throws Exception {
        var seen = new ArrayList<String>();
        String next = "/things?limit=100&state=active";
        while (next != null) {
            var reply = server.get(next);
            seen.addAll(data(reply));
            next = reply.headers()
                    .firstValue("Link")
                    .map(link -> link.replaceFirst("^<(.*)>; rel=\"next\"$", "$1"))
                    .map(link -> URI.create(link).getRawPath() + "?"
                            + URI.create(link).getRawQuery())
                    .orElse(null);
        }

        assertThat(seen).isEqualTo(ALL);
    }

    @Test
    void saysWhetherThereIsMore() throws Exception {
        var first = json(server.get("/things")).get("meta");
        var last = json(server.get("/things?limit=100&cursor=" + cursor("/things?limit=100", 2)))
                .get("meta");

        assertThat(first.get("hasMore").booleanValue()).isTrue();
        assertThat(first.get("nextCursor").stringValue()).matches("[A-Za-z0-9_-]+");
        assertThat(last.toString()).isEqualTo("{\"nextCursor\":null,\"hasMore\":false}");
    }

    @Test
    void goesOnBehindTheSameEntryWhenOthersAreInserted() throws Exception {
        String cursor = cursor("/things", 1);

        items.addFirst("a-new-one");

        assertThat(data(server.get("/things?cursor=" + cursor))).isEqualTo(ALL.subList(20, 40));
    }

    @Test
    void refusesACursorOfAnotherListOrOtherFilters() throws Exception {
        String cursor = cursor("/things", 1);

        assertThat(code(server.get("/others?cursor=" + cursor))).isEqualTo("400 invalid-cursor");
        assertThat(code(server.get("/things?state=active&cursor=" + cursor))).isEqualTo("400 invalid-cursor");
        assertThat(server.get("/things?limit=7&cursor=" + cursor).statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "!!", "AAAA", "e30", "%ff", "AAAAAAAAAAAAAAAAAAAAAAAAAAAA"})
    void refusesACursorThatIsNone(String cursor) throws Exception {
        assertThat(code(server.get("/things?cursor=" + cursor))).startsWith("400 ");
    }

    /// PostgreSQL takes no NUL in a text.
    @Test
    void refusesACursorWhoseKeyNoDatabaseCouldHold() throws Exception {
        String mark = new String(Base64.getUrlDecoder().decode(cursor("/things", 1)), StandardCharsets.UTF_8)
                .substring(0, 16);

        assertThat(code(server.get("/things?cursor=" + base64(mark + "k\0")))).isEqualTo("400 invalid-cursor");
        assertThat(data(server.get("/things?cursor=" + base64(mark + "k")))).isEqualTo(ALL.subList(0, 20));
    }

    private static String base64(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /// The cursor behind so many pages of the list.
    private String cursor(String list, int pages) throws Exception {
        String cursor = null;
        for (int i = 0; i < pages; i++) {
            String join = list.contains("?") ? "&" : "?";
            cursor = json(server.get(cursor == null ? list : list + join + "cursor=" + cursor))
                    .at("/meta/nextCursor")
                    .stringValue();
        }
        return Objects.requireNonNull(cursor);
    }

    private static JsonNode json(HttpResponse<String> reply) {
        return Json.read(reply.body().getBytes(StandardCharsets.UTF_8));
    }

    private static List<String> data(HttpResponse<String> reply) {
        return json(reply).get("data").valueStream().map(JsonNode::stringValue).toList();
    }

    private static String code(HttpResponse<String> reply) {
        return reply.statusCode() + " " + json(reply).path("code").stringValue("");
    }
}
