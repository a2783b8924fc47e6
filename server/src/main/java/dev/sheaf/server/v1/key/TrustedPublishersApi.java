package dev.sheaf.server.v1.key;

import static dev.sheaf.server.http.message.Method.DELETE;
import static dev.sheaf.server.http.message.Method.GET;
import static dev.sheaf.server.http.message.Method.POST;

import dev.sheaf.model.Problem;
import dev.sheaf.model.wire.KeyRestrictions;
import dev.sheaf.model.wire.TrustedPublisher;
import dev.sheaf.server.auth.Restrictions;
import dev.sheaf.server.http.message.Answer;
import dev.sheaf.server.http.message.Call;
import dev.sheaf.server.http.message.Fields;
import dev.sheaf.server.http.message.Paging;
import dev.sheaf.server.http.message.PathId;
import dev.sheaf.server.http.message.Preconditions;
import dev.sheaf.server.http.message.Route;
import dev.sheaf.server.http.policy.Need;
import dev.sheaf.server.identity.publisher.ClaimRule;
import dev.sheaf.server.identity.publisher.NewPublisher;
import dev.sheaf.server.identity.publisher.Provider;
import dev.sheaf.server.identity.publisher.TrustedPublishers;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Workflows elsewhere that may publish (contract 5.3).
public final class TrustedPublishersApi {
    private static final int MAX_TEXT = 300;
    private static final int MAX_BUNDLES = 20;
    private static final int MAX_CLAIMS = 20;
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
    private static final Set<String> CONDITIONS = Set.of("claim", "equals", "in", "matches");
    private static final Function<String, UUID> ID = PathId.of("trusted publisher %s");
    private static final Pattern CLAIM = Pattern.compile("[A-Za-z0-9_./:-]+");
    private static final Pattern REPOSITORY = Pattern.compile("[a-z0-9_.-]+(/[a-z0-9_.-]+)+");

    private final TrustedPublishers publishers;

    public TrustedPublishersApi(TrustedPublishers publishers) {
        this.publishers = publishers;
    }

    public List<Route> routes() {
        String all = "/v1/organizations/{org_id}/trusted-publishers";
        return List.of(
                new Route(POST, all, Need.ADMIN, this::create),
                new Route(GET, all, Need.ADMIN, this::list),
                new Route(GET, all + "/{publisher_id}", Need.ADMIN, this::get),
                new Route(DELETE, all + "/{publisher_id}", Need.ADMIN, this::delete));
    }

    private Answer create(Call call) {
        var fields = call.json();
        fields.only(MEMBERS);
        var provider = fields.parsed("provider", text -> Optional.of(provider(text)), Optional.<Provider>empty());
        String issuer = issuer(fields, provider);
        var claims = claims(fields);
        var publisher = new NewPublisher(
                provider.orElse(Provider.OIDC), // of no provider nothing is made
                issuer,
                repository(fields, provider),
                text(fields, provider, "repositoryId"),
                text(fields, provider, "repositoryOwnerId"),
                text(fields, provider, "workflow"),
                text(fields, provider, "environment"),
                claims,
                bundles(fields));
        if (isOidc(provider) && claims.isEmpty()) {
            fields.error("claims", "required", "must have at least one entry, or every token of the issuer would do");
        }
        fields.finish();
        var created = publishers.create(call.origin(), publisher);
        return Answer.created(call.rawPath() + "/" + created.id(), created);
    }

    private static Provider provider(String text) {
        return Provider.find(text).orElseThrow(() -> Problem.invalid("unknown", "must be one of github, gitlab, oidc"));
    }

    private static boolean isOidc(Optional<Provider> provider) {
        return provider.filter(Provider.OIDC::equals).isPresent();
    }

    private static String issuer(Fields fields, Optional<Provider> provider) {
        String given = fields.optional("issuer", MAX_TEXT);
        var usual = provider.flatMap(Provider::issuer);
        if (provider.isPresent() && usual.isEmpty() && !fields.has("issuer")) {
            fields.error("issuer", "required", "is required for this provider");
        }
        return given == null ? usual.orElse("") : given;
    }

    private static @Nullable String repository(Fields fields, Optional<Provider> provider) {
        String given = text(fields, provider, "repository");
        if (provider.isEmpty() || isOidc(provider)) {
            return null;
        }
        String repository = given == null ? "" : given.toLowerCase(Locale.ROOT);
        if (!REPOSITORY.matcher(repository).matches()) {
            fields.error("repository", "format", "must be owner/name");
        }
        return repository;
    }

    private static @Nullable String text(Fields fields, Optional<Provider> provider, String name) {
        String text = fields.optional(name, MAX_TEXT);
        if (text != null && isOidc(provider)) {
            fields.error(name, "range", "is for github and gitlab; say it as one of the claims");
        }
        if (text != null && text.isBlank()) {
            fields.error(name, "required", "must not be blank");
        }
        return text;
    }

    private static Restrictions bundles(Fields fields) {
        var texts = fields.texts("bundles");
        if (texts == null || texts.isEmpty() || texts.size() > MAX_BUNDLES) {
            fields.error("bundles", "range", "must have 1 to " + MAX_BUNDLES + " entries");
            return Restrictions.NONE;
        }
        var holder = new Restrictions[] {Restrictions.NONE};
        fields.check("", () -> holder[0] = Restrictions.parse(new KeyRestrictions(null, texts, null)));
        return holder[0];
    }

    private static List<ClaimRule> claims(Fields fields) {
        var rules = new ArrayList<ClaimRule>();
        var seen = new HashSet<String>();
        for (var entry : fields.objects("claims", MAX_CLAIMS)) {
            entry.only(CONDITIONS);
            String claim = entry.required("claim", ClaimRule.MAX_CLAIM);
            if (!claim.isEmpty() && !CLAIM.matcher(claim).matches()) {
                entry.error("claim", "format", "must be the name of a claim");
            }
            if (!seen.add(claim)) {
                entry.error("claim", "duplicate", "stands there twice; use in for several values");
            }
            rule(entry, claim, rules);
        }
        return rules;
    }

    private static void rule(Fields entry, String claim, List<ClaimRule> rules) {
        var found = new ArrayList<ClaimRule>();
        for (var kind : ClaimRule.Kind.values()) {
            String name = kind.name().toLowerCase(Locale.ROOT);
            if (entry.has(name)) {
                found.add(new ClaimRule(claim, kind, values(entry, name, kind)));
            }
        }
        if (found.size() != 1) {
            entry.error("", "range", "must have exactly one of equals, in, matches, which cannot be sent together");
        }
        rules.addAll(found);
    }

    private static List<String> values(Fields entry, String name, ClaimRule.Kind kind) {
        if (kind != ClaimRule.Kind.IN) {
            String one = entry.optional(name, ClaimRule.MAX_VALUE);
            checkValue(entry, name, one);
            return one == null ? List.of() : List.of(one);
        }
        var many = entry.texts(name);
        if (many == null || many.isEmpty() || many.size() > ClaimRule.MAX_VALUES) {
            entry.error(name, "range", "must have 1 to " + ClaimRule.MAX_VALUES + " entries");
            return List.of();
        }
        for (int i = 0; i < many.size(); i++) {
            checkValue(entry, name + "/" + i, many.get(i));
        }
        return many;
    }

    /// @param text null: refused already
    private static void checkValue(Fields entry, String place, @Nullable String text) {
        if (text != null && !isValue(text)) {
            entry.error(place, "format", "must be 1 to " + ClaimRule.MAX_VALUE + " characters without controls");
        }
    }

    private static boolean isValue(String text) {
        return !text.isBlank()
                && text.length() <= ClaimRule.MAX_VALUE
                && text.codePoints().noneMatch(Character::isISOControl)
                && text.lines().count() == 1;
    }

    private Answer list(Call call) {
        return Paging.of(call)
                .show((after, limit) -> publishers.list(call.origin().caller(), after, limit), TrustedPublisher::id);
    }

    private Answer get(Call call) {
        return Answer.ok(publishers.get(call.origin().caller(), call.parameter("publisher_id", ID)));
    }

    private Answer delete(Call call) {
        publishers.delete(call.origin(), call.parameter("publisher_id", ID), Preconditions.of(call));
        return Answer.empty(204);
    }
}
