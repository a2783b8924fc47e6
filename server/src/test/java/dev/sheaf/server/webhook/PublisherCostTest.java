package dev.sheaf.server.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sheaf.server.testing.OnEveryStack;
import dev.sheaf.server.testing.Stack;
import dev.sheaf.server.testing.Statements;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What a change costs whoever makes it does not depend on who is told of it. Here nothing is delivered, or what
/// deliveries ask of the database would be among it.
@Timeout(120)
class PublisherCostTest extends OnEveryStack {
    @Override
    public Map<String, String> settings() {
        return Map.of("webhooks", "false", "rate-writes", "0");
    }

    private void webhooks(int count) {
        for (int i = 0; i < count; i++) {
            var made = app().post("/v1/organizations/default/webhooks", app().admin(), """
                    {"url": "https://hooks.example.org/%s", "eventTypes": ["tag.*"]}""".formatted(i));
            assertThat(made.status()).as(made.text()).isEqualTo(201);
        }
    }

    /// Moves a tag to one of two versions.
    private void move(int version) {
        var moved = app().send(
                        "PUT",
                        bundle("cost/kit") + "/tags/t",
                        app().admin(),
                        "{\"version\": \"1.0.%s\"}".formatted(version));
        assertThat(moved.status()).as(moved.text()).isEqualTo(200);
    }

    /// What a change writes, but for what is done for many changes at one time, and so now and then: the chain of the
    /// audit log, and what other nodes are told. What it reads may be in memory.
    private List<String> cost() {
        var asked = new Statements(app().database()).of(() -> move(1));
        assertThat(asked).noneMatch(statement -> statement.sql().contains("webhook"));
        move(0);
        return asked.stream()
                .map(Statements.Statement::sql)
                .filter(sql -> sql.matches("(?s)\\s*(INSERT|UPDATE|DELETE).*"))
                .filter(sql -> !sql.matches("(?s).*(UPDATE audit|announcement).*"))
                .toList();
    }

    @Test
    void aChangeAsksTheSameOfTheDatabaseHoweverManyWebhooksThereAre() {
        assumeTrue(stack() != Stack.SQLITE, "statements are seen on PostgreSQL only");
        app().push("cost/kit", "1.0.0", "private", "# Kit");
        app().push("cost/kit", "1.0.1", "private", "# Kit 2");
        app().send("PUT", bundle("cost/kit") + "/tags/t", app().admin(), "{\"version\": \"1.0.0\"}");

        var ofNone = cost();
        webhooks(1);
        var ofOne = cost();
        webhooks(19);
        var ofTwenty = cost();

        assertThat(ofNone).isNotEmpty();
        assertThat(ofOne).isEqualTo(ofNone);
        assertThat(ofTwenty).isEqualTo(ofNone);
    }
}
