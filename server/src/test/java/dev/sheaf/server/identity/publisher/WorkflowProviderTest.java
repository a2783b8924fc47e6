package dev.sheaf.server.identity.publisher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.auth.oidc.IdToken;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkflowProviderTest {
    private static Optional<String> repository(String claim) {
        return WorkflowProvider.GITHUB.repository(
                new IdToken("https://issuer.test", "1", Instant.EPOCH, Map.of("repository", claim)));
    }

    @Test
    void caseOfARepositoryDoesNotMatter() {
        assertThat(repository("Acme/KIT")).contains("acme/kit");
    }

    /// Some letters become others in lower case: the sign for kelvin a k.
    @ParameterizedTest
    @ValueSource(strings = {"acme/\u212Ait", "acme/k\u0130t", "acme/k\u0131t", "\uFF21cme/kit"})
    void letterThatLooksLikeAnotherIsAnother(String claim) {
        assertThat(repository(claim)).isNotEqualTo(Optional.of("acme/kit"));
        assertThat(WorkflowProvider.GITHUB.isWorkflow(
                        claim + "/.github/workflows/a.yml@refs/heads/main", "acme/kit", "a.yml"))
                .isFalse();
        assertThat(WorkflowProvider.GITLAB.isWorkflow(
                        "gitlab.com/" + claim + "//a.yml@refs/heads/main", "acme/kit", "a.yml"))
                .isFalse();
    }
}
