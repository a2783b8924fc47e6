package dev.sheaf.server.identity.publisher;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import dev.sheaf.model.OAuthError;
import dev.sheaf.model.Problem;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.key.Secret;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.AccessTokens;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.auth.Credential;
import dev.sheaf.server.auth.CredentialRestrictions;
import dev.sheaf.server.auth.Grant;
import dev.sheaf.server.auth.TokenSubject;
import dev.sheaf.server.auth.oidc.IdToken;
import dev.sheaf.server.auth.oidc.IdTokens;
import dev.sheaf.server.identity.SignInSource;
import dev.sheaf.server.identity.token.IssuedToken;
import dev.sheaf.server.identity.token.TokenExchange;
import dev.sheaf.server.org.Namespaces;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Exchanges id_tokens of trusted publishers' runs for access tokens (contract 5.3). Each id_token works once.
/// Thread-safe.
public final class PublisherExchange {
    private static final int MOST_CANDIDATES = 1_000;

    private final Database database;
    private final IdTokens idTokens;
    private final AccessTokens tokens;
    private final Set<String> audiences;

    /// @param audiences accepted values of the claim aud
    public PublisherExchange(Database database, IdTokens idTokens, AccessTokens tokens, Set<String> audiences) {
        this.database = database;
        this.idTokens = idTokens;
        this.tokens = tokens;
        this.audiences = audiences;
    }

    /// Returns the accepted values of the claim aud: the configured address of this registry, its host, and
    /// further values. The Host of a request is not used, because the sender chooses it.
    public static SortedSet<String> audiences(@Nullable String publicUrl, List<String> more) {
        return Stream.concat(
                        Stream.ofNullable(publicUrl)
                                .flatMap(url -> Stream.of(url, URI.create(url).getRawAuthority())),
                        more.stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private record Match(PublisherRows.Row row, String run, Instant at) {}

    /// @param organization the organization whose publishers are searched; null to search all publishers; all
    /// that match must then belong to one organization
    /// @throws ProblemException token-refused that names the claim that failed; invalid_scope or invalid_target
    /// if more is requested than a publisher may have
    public IssuedToken exchange(
            Secret idToken, @Nullable UUID organization, SignInSource visit, TokenExchange.Wish wish) {
        if (audiences.isEmpty()) {
            throw OAuthError.INVALID_TARGET.refuse(
                    "this registry does not know its own address, which the claim aud must contain; its operator must"
                            + " set public-url");
        }
        var scope = Objects.requireNonNullElse(wish.scope(), Scope.WRITE);
        if (!Scope.WRITE.includes(scope)) {
            throw OAuthError.INVALID_SCOPE.refuse("a trusted publisher has the scope write, not " + scope);
        }
        var token = idTokens.verify(idToken.expose(), audiences, database.now());
        PublisherMatch.safe(token);
        var match = database.write(tx -> match(tx, token, organization, visit, wish));
        var restrictions = TokenExchange.within(match.row().publisher().bundles(), wish.restrictions());
        var lifetime = wish.lifetime().compareTo(AccessTokens.LIFETIME) < 0 ? wish.lifetime() : AccessTokens.LIFETIME;
        return TokenExchange.issue(
                tokens,
                new TokenSubject.Publisher(match.row().id(), match.run()),
                new Grant.Delegated(scope, restrictions),
                List.of(),
                match.at(),
                match.at().plus(lifetime));
    }

    private static Match match(
            Tx tx, IdToken token, @Nullable UUID organization, SignInSource visit, TokenExchange.Wish wish) {
        var row = PublisherMatch.only(candidates(tx, token, organization, wish), token);
        var publisher = row.publisher();
        TokenExchange.within(publisher.bundles(), wish.restrictions());
        String hash = Digest.sha256((token.issuer() + "\n" + token.id()).getBytes(StandardCharsets.UTF_8))
                .hex();
        if (!PublisherRows.useOnce(tx, hash, token.expiresAt().plus(IdTokens.LEEWAY))) {
            throw IdTokens.refuse("jti", token.id(), "one that was not used before: ask for a new id_token");
        }
        var provider = publisher.provider();
        boolean pins = provider.hasRepositories();
        if (!PublisherRows.used(
                tx,
                row.id(),
                pins ? token.text(provider.repositoryIdClaim()).orElse(null) : null,
                pins ? token.text(provider.ownerIdClaim()).orElse(null) : null)) {
            throw new Problem.Conflict("the trusted publisher was changed in the meantime; try again").raise();
        }
        String run = provider.run(token);
        var caller = new Caller.Known(
                new Credential.Run(row.id(), run),
                row.organizationId(),
                Scope.WRITE,
                publisher.bundles(),
                new Grant.Delegated(Scope.WRITE, publisher.bundles()),
                null);
        AuditRows.record(
                tx,
                new ChangeOrigin(caller, visit.address(), visit.requestId()),
                "trusted_publisher.run",
                row.id().toString(),
                run);
        return new Match(row, run, tx.now());
    }

    /// Returns the publishers with the repository of the token. If `organization` is set and has no such
    /// publisher, returns all of its publishers, so that the refusal can name the expected value.
    private static List<PublisherRows.Row> candidates(
            Tx tx, IdToken token, @Nullable UUID organization, TokenExchange.Wish wish) {
        String repository = Arrays.stream(WorkflowProvider.values())
                .flatMap(provider -> provider.repository(token).stream())
                .findFirst()
                .orElse("");
        var fitting = covering(
                usable(tx, PublisherRows.of(tx, token.issuer(), organization, repository, MOST_CANDIDATES)), wish);
        return !fitting.isEmpty() || organization == null
                ? fitting
                : covering(usable(tx, PublisherRows.of(tx, token.issuer(), organization, null, MOST_CANDIDATES)), wish);
    }

    /// Limits each candidate to bundles that its organization can publish. Drops bundles in a namespace that
    /// belongs to another organization by now.
    private static List<PublisherRows.Row> usable(Tx tx, List<PublisherRows.Row> rows) {
        var named = rows.stream()
                .flatMap(row -> row.publisher().bundles().namespacesOfBundles().stream())
                .collect(Collectors.toUnmodifiableSet());
        var owners = Namespaces.owners(tx, named);
        return rows.stream()
                .flatMap(row -> row
                        .publisher()
                        .bundles()
                        .withoutBundlesOf(Namespaces.ofOthers(owners, row.organizationId()))
                        .map(row::with)
                        .stream())
                .toList();
    }

    /// Returns the candidates that cover the whole request. If there are none, returns all candidates, whose
    /// refusal names the reason.
    private static List<PublisherRows.Row> covering(List<PublisherRows.Row> rows, TokenExchange.Wish wish) {
        var covering = rows.stream()
                .filter(row -> covers(row.publisher().bundles(), wish.restrictions()))
                .toList();
        return covering.isEmpty() ? rows : covering;
    }

    private static boolean covers(CredentialRestrictions own, CredentialRestrictions wish) {
        return own.cover(own.with(wish));
    }

    /// Deletes the records of id_tokens that have expired.
    public void purge() {
        database.write(PublisherRows::purge);
    }
}
