package dev.sheaf.server.identity.publisher;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Problem;
import dev.sheaf.model.text.WireWords;
import dev.sheaf.model.wire.key.KeyRestrictions;
import dev.sheaf.server.auth.CredentialRestrictions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A request to create a trusted publisher.
///
/// @param repository the repository in lower case; not null if the provider has repositories
/// @param repositoryId null to pin the id of the first run
public record NewPublisher(
        WorkflowProvider provider,
        String issuer,
        @Nullable String repository,
        @Nullable String repositoryId,
        @Nullable String ownerId,
        @Nullable String workflow,
        @Nullable String environment,
        List<ClaimRule> claims,
        CredentialRestrictions bundles) {
    private static final int MAX_TEXT = 300;
    private static final int MAX_BUNDLES = 20;
    private static final Set<String> MEMBERS = Set.of(
            "provider",
            "issuer",
            "repository",
            "repositoryId",
            "repositoryOwnerId",
            "workflow",
            "environment",
            "claims",
            "bundles");
    private static final Pattern REPOSITORY = Pattern.compile("[a-z0-9_.-]+(/[a-z0-9_.-]+)+");

    public NewPublisher {
        claims = List.copyOf(claims);
    }

    public static NewPublisher parse(RequestFields fields) {
        fields.only(MEMBERS);
        var given = fields.parsed("provider", text -> Optional.of(provider(text)), Optional.<WorkflowProvider>empty());
        var provider = given.orElse(null);
        String issuer = issuer(fields, provider);
        var claims = ClaimRule.parse(fields);
        var publisher = new NewPublisher(
                given.orElse(WorkflowProvider.OIDC), // a missing provider was reported above
                issuer,
                repository(fields, provider),
                text(fields, provider, "repositoryId"),
                text(fields, provider, "repositoryOwnerId"),
                text(fields, provider, "workflow"),
                text(fields, provider, "environment"),
                claims,
                bundles(fields));
        if (provider == WorkflowProvider.OIDC && claims.isEmpty()) {
            fields.error(
                    "claims",
                    "required",
                    "must have at least one entry, or every token of the issuer would be accepted");
        }
        return publisher;
    }

    private static WorkflowProvider provider(String text) {
        return WireWords.find(WorkflowProvider.class, text)
                .orElseThrow(() -> Problem.invalid("unknown", WireWords.oneOf(WorkflowProvider.class)));
    }

    private static String issuer(RequestFields fields, @Nullable WorkflowProvider provider) {
        String given = fields.optional("issuer", MAX_TEXT);
        String usual = provider == null ? "" : provider.issuer().orElse("");
        if (provider == WorkflowProvider.OIDC && !fields.has("issuer")) {
            fields.error("issuer", "required", "is required for this provider");
        }
        return given == null ? usual : given;
    }

    private static @Nullable String repository(RequestFields fields, @Nullable WorkflowProvider provider) {
        String given = text(fields, provider, "repository");
        if (provider == null || provider == WorkflowProvider.OIDC) {
            return null;
        }
        String repository = given == null ? "" : WorkflowProvider.lower(given);
        if (!REPOSITORY.matcher(repository).matches()) {
            fields.error("repository", "format", "must be OWNER/NAME, such as acme/notes");
        }
        return repository;
    }

    private static @Nullable String text(RequestFields fields, @Nullable WorkflowProvider provider, String name) {
        String text = fields.optional(name, MAX_TEXT);
        if (text != null && provider == WorkflowProvider.OIDC) {
            fields.error(name, "range", "is only for github and gitlab; use a rule in claims instead");
        }
        if (text != null && text.isBlank()) {
            fields.error(name, "required", "must not be blank");
        }
        return text;
    }

    private static CredentialRestrictions bundles(RequestFields fields) {
        var texts = fields.texts("bundles");
        if (texts == null || texts.isEmpty() || texts.size() > MAX_BUNDLES) {
            fields.error("bundles", "range", "must have 1 to " + MAX_BUNDLES + " entries");
            return CredentialRestrictions.NONE;
        }
        return fields.checked(
                "",
                () -> CredentialRestrictions.parse(new KeyRestrictions(null, texts, null)),
                CredentialRestrictions.NONE);
    }

    NewPublisher with(CredentialRestrictions bundles) {
        return new NewPublisher(
                provider, issuer, repository, repositoryId, ownerId, workflow, environment, claims, bundles);
    }
}
