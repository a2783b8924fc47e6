package dev.sheaf.server.org.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/// How many keys an organization may have (contract 6).
class KeyLimitTest extends KeyScenario {
    @Override
    public Map<String, String> settings() {
        return Map.of("max-live-keys", "3"); // the first key is one of them
    }

    private void create(String name, int status) {
        var reply = app().post(KEYS, app().admin(), "{\"name\": \"" + name + "\"}");
        assertThat(reply.status()).as(reply.text()).isEqualTo(status);
    }

    @Test
    void aKeyThatWasRotatedMakesNoRoomForAnother() {
        var one = named("one");
        var two = named("two");
        create("three", 409);

        for (var key : new String[] {id(one), id(two)}) {
            assertThat(rotate(key, "{}").status()).isEqualTo(201);
        }

        create("three", 409);
        app().send("DELETE", KEYS + "/" + id(one), app().admin(), null); // retiring, so it did not count
        create("three", 409);
    }
}
