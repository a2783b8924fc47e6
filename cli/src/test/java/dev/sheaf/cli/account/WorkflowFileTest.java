package dev.sheaf.cli.account;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.client.api.RegistryUrl;
import dev.sheaf.client.io.YamlNode;
import dev.sheaf.model.text.WorkflowFile;
import dev.sheaf.model.wire.org.TrustedPublisher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The workflows that `publishers add` prints are documents, and those of docs/ci.md.
class WorkflowFileTest {
    private static final RegistryUrl REGISTRY = RegistryUrl.parse("https://bundles.example.com");

    private static String text(TrustedPublisher publisher) {
        return WorkflowFile.text(publisher, REGISTRY.toString(), REGISTRY.authority());
    }

    private static TrustedPublisher publisher(String provider, @Nullable String environment, String bundle) {
        var id = new UUID(0, 1);
        return new TrustedPublisher(
                id,
                id,
                provider,
                "https://issuer.example",
                "acme/notes",
                null,
                null,
                null,
                environment,
                List.of(),
                List.of(bundle),
                List.of(),
                "pending",
                null,
                Instant.EPOCH,
                null,
                null);
    }

    @ParameterizedTest
    @CsvSource({"github, ", "github, production", "gitlab, ", "gitlab, production"})
    void isYaml(String provider, @Nullable String environment) {
        String text = text(publisher(provider, environment, "acme/notes"));

        var root = YamlNode.parse(text);

        var job = provider.equals("github") ? root.member("jobs").member("publish") : root.member("publish");
        assertThat(job.members().containsKey("environment")).isEqualTo(environment != null);
        assertThat(text).contains("SHEAF_URL: https://bundles.example.com", "push . \"acme/notes:$");
    }

    @Test
    void aPatternLeavesTheNameToYou() {
        assertThat(text(publisher("github", null, "acme/*"))).contains("push . \"acme/BUNDLE:$");
    }

    @Test
    void thePageHasTheSame() throws IOException {
        String page = Files.readString(Path.of("../docs/ci.md"));

        assertThat(page)
                .contains(text(publisher("github", null, "acme/notes")))
                .contains(text(publisher("gitlab", null, "acme/notes")));
    }
}
