package dev.sheaf.server.org.key;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.engine.input.WireTimestamps;
import dev.sheaf.model.Problem;
import dev.sheaf.model.key.Scope;
import dev.sheaf.model.text.Quoted;
import dev.sheaf.model.wire.key.KeyRestrictions;
import dev.sheaf.server.auth.CredentialRestrictions;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.Period;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A request to create a key. Its rights are fixed for its life.
///
/// @param scopes the requested scopes, not empty; the highest includes the lower ones
public record NewKey(
        String name,
        @Nullable String description,
        Set<Scope> scopes,
        @Nullable Instant expiresAt,
        CredentialRestrictions restrictions) {
    static final int MAX_NAME = 100;
    static final int MAX_DESCRIPTION = 1_000;
    private static final Set<String> MEMBERS =
            Set.of("name", "scopes", "description", "expiresAt", "expiresIn", "restrictions");
    private static final Set<String> RESTRICTIONS = Set.of("namespaces", "bundles", "cidrs", "queues", "uses");

    public NewKey {
        scopes = Collections.unmodifiableSortedSet(new TreeSet<>(scopes));
    }

    /// @param now the start of `expiresIn`
    public static NewKey parse(RequestFields fields, Instant now) {
        fields.only(MEMBERS);
        String name = fields.required("name", MAX_NAME);
        var scopes = scopes(fields);
        return new NewKey(
                name,
                fields.optional("description", MAX_DESCRIPTION),
                scopes,
                expiry(fields, now),
                restrictions(fields));
    }

    private static Set<Scope> scopes(RequestFields fields) {
        var words = fields.texts("scopes");
        var scopes = EnumSet.noneOf(Scope.class);
        if (words == null) {
            return EnumSet.of(Scope.READ);
        }
        if (words.isEmpty()) {
            fields.error("scopes", "range", "must not be empty; leave it out for read");
        }
        for (int i = 0; i < words.size(); i++) {
            var scope = Scope.find(words.get(i));
            if (scope.isEmpty()) {
                fields.error(
                        "scopes/" + i, "unknown", "has " + Quoted.of(words.get(i)) + "; it takes read, write, admin");
            } else if (!scopes.add(scope.get())) {
                fields.error("scopes/" + i, "duplicate", "names " + scope.get() + " twice");
            }
        }
        return scopes.isEmpty() ? EnumSet.of(Scope.READ) : scopes;
    }

    private static @Nullable Instant expiry(RequestFields fields, Instant now) {
        var at = fields.has("expiresAt") ? fields.parsed("expiresAt", WireTimestamps::parse, Instant.EPOCH) : null;
        var in = fields.has("expiresIn") ? fields.parsed("expiresIn", text -> later(now, text), Instant.EPOCH) : null;
        if (at != null && in != null) {
            fields.error("expiresIn", "range", "cannot be sent together with \"expiresAt\"");
        }
        Instant end = at == null ? in : at;
        if (end != null && !end.equals(Instant.EPOCH) && !end.isAfter(now)) {
            fields.error(at == null ? "expiresIn" : "expiresAt", "range", "must be in the future");
        }
        return end == null ? null : end.truncatedTo(ChronoUnit.MILLIS);
    }

    private static Instant later(Instant now, String text) {
        try {
            var end = text.contains("T")
                    ? now.plus(Duration.parse(text))
                    : now.atZone(ZoneOffset.UTC).plus(Period.parse(text)).toInstant();
            if (WireTimestamps.canBeWritten(end)) {
                return end;
            }
        } catch (DateTimeException | ArithmeticException e) {
            // reported below
        }
        throw Problem.invalid(
                "format", "must be a period such as P90D or PT12H (ISO 8601; on the command line 90d or 12h)");
    }

    private static CredentialRestrictions restrictions(RequestFields fields) {
        var object = fields.object("restrictions");
        if (object == null) {
            return CredentialRestrictions.NONE;
        }
        object.only(RESTRICTIONS);
        var wire = new KeyRestrictions(
                object.texts("namespaces"),
                object.texts("bundles"),
                object.texts("cidrs"),
                object.texts("queues"),
                object.texts("uses"));
        return fields.checked("restrictions", () -> CredentialRestrictions.parse(wire), CredentialRestrictions.NONE);
    }

    /// Returns the same key with another end.
    NewKey until(@Nullable Instant end) {
        return new NewKey(name, description, scopes, end, restrictions);
    }

    /// Returns the highest scope, which includes the others.
    public Scope scope() {
        return Collections.max(scopes);
    }
}
