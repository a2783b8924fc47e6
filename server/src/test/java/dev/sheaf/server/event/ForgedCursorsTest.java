package dev.sheaf.server.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Reply;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Cursors that nobody was given, or somebody else was: refused alike, in every way in which one is handed in.
class ForgedCursorsTest extends OnEveryStack {
    private static final String OWN = "/v1/organizations/default/events";
    private static final String HUB = "/v1/hub/events";

    private String end(String feed, @Nullable String key) {
        Numbered.all(app().database());
        return app().get(feed + "?after=latest", key)
                .json()
                .at("/meta/nextCursor")
                .stringValue();
    }

    /// As a page, as a poll and as a stream.
    private List<Reply> handedIn(String feed, @Nullable String key, String cursor) {
        return List.of(
                app().get(feed + "?after=" + cursor, key),
                app().get(feed + "?wait=30&after=" + cursor, key),
                app().send(app().request("GET", feed + "?after=" + cursor, key, null)
                        .header("Accept", "text/event-stream")),
                app().send(app().request("GET", feed, key, null)
                        .header("Accept", "text/event-stream")
                        .header("Last-Event-ID", cursor)));
    }

    private void assertRefused(String feed, @Nullable String key, String cursor) {
        assertThat(handedIn(feed, key, cursor)).allSatisfy(reply -> {
            assertThat(reply.status()).as(cursor).isEqualTo(400);
            assertThat(reply.problem().code()).isEqualTo("invalid-cursor");
        });
    }

    @Test
    void rejectsCursorOfAnotherOrganization() {
        String name = "cursors-" + stack().ordinal();
        String other = app().secondOrganization(name);
        String theirs = "/v1/organizations/" + name + "/events";
        app().push("cursors/kit", "1.0.0", "public", "# Kit");
        String ofOwn = end(OWN, app().admin());
        String ofTheirs = end(theirs, other);
        String ofHub = end(HUB, null);

        assertRefused(OWN, app().admin(), ofTheirs);
        assertRefused(OWN, app().admin(), ofHub);
        assertRefused(theirs, other, ofOwn);
        assertRefused(theirs, other, ofHub);
        assertRefused(HUB, null, ofOwn);
        assertRefused(HUB, null, ofTheirs);
    }

    /// Or a place could be guessed at, and with it how much happened.
    @Test
    void rejectsChangedCursor() {
        app().push("cursors/forged", "1.0.0", "private", "# Kit");
        byte[] cursor = Base64.getUrlDecoder().decode(end(OWN, app().admin()));
        var forged = new ArrayList<byte[]>();
        for (int i = 0; i < cursor.length; i++) {
            byte[] changed = cursor.clone();
            changed[i] ^= (byte) (1 << (i % 8));
            forged.add(changed);
        }
        forged.add(Arrays.copyOf(cursor, cursor.length - 1));
        forged.add(Arrays.copyOf(cursor, cursor.length + 1));
        forged.add(Arrays.copyOf(cursor, cursor.length + Long.BYTES));
        forged.add(new byte[cursor.length]);
        forged.add(ByteBuffer.allocate(Long.BYTES).putLong(1).array());
        forged.add(new byte[0]);

        for (byte[] one : forged) {
            String text = Base64.getUrlEncoder().withoutPadding().encodeToString(one);
            var reply = app().get(OWN + "?after=" + text, app().admin());
            assertThat(reply.status()).as(text).isIn(400, 422);
        }
        assertRefused(OWN, app().admin(), "00000000000000000001");
        assertRefused(OWN, app().admin(), Base64.getUrlEncoder().encodeToString(forged.getFirst()));
    }
}
