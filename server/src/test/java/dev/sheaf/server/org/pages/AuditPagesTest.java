package dev.sheaf.server.org.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.console.OnConsole;
import dev.sheaf.server.testing.Browser;
import dev.sheaf.server.testing.Eventually;
import java.time.Duration;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The audit log: its filters, its export, and the proof that nothing is missing.
class AuditPagesTest extends OnConsole {
    private static final String LOG = "/organizations/default/audit";

    private Browser owner = new Browser();

    @Override
    public void prepare() {
        owner.close();
        owner = person("audit@acme.test", "default", "owner");
        app().secondOrganization("others");
        app().key("noted", "read");
    }

    @Test
    void filters() {
        assertThat(owner.open(at(LOG + "?action=api_key.*")).html())
                .contains("<b>api_key.create</b>", "value=\"api_key.*\"")
                .doesNotContain("<b>session.begin</b>");
        assertThat(owner.open(at(LOG + "?since=2999-01-01")).html()).contains("No such entry");
    }

    @Test
    void aFilterThatIsNoneIsToldBesideItsField() {
        var shown = owner.open(at(LOG + "?since=%22%3E%3Cb%3E"));

        assertThat(shown.status()).isEqualTo(422);
        assertThat(shown.html())
                .contains("value=\"&#34;>&lt;b>\"")
                .containsPattern("(?s)id=\"error-since\">.*?RFC 3339")
                .doesNotContain("value=\"\"><b>");
    }

    @Test
    void exportsAsTheApiDoes() {
        var sent = owner.open(at(LOG + "/export?action=api_key.*"));

        assertThat(sent.status()).isEqualTo(200);
        assertThat(sent.html().lines()).isNotEmpty().allMatch(line -> line.contains("\"action\":\"api_key."));
    }

    @Test
    void showsTheEndOfTheChain() {
        var end = Pattern.compile("sheaf admin audit verify --expect [0-9]+:[0-9a-f]{64}");

        Eventually.within(
                Duration.ofSeconds(10),
                () -> end.matcher(owner.open(at(LOG)).html()).find());
    }

    @Test
    void readersAndOthersAreRefused() {
        try (var reader = person("no-audit@acme.test", "default", "reader")) {
            assertThat(reader.open(at(LOG)).status()).isEqualTo(403);
            assertThat(reader.open(at(LOG + "/export")).status()).isEqualTo(403);
        }
        assertThat(owner.open(at("/organizations/others/audit")).status()).isEqualTo(404);
        assertThat(owner.open(at("/organizations/others/audit/export")).status())
                .isEqualTo(404);
    }
}
