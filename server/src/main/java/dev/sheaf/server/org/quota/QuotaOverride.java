package dev.sheaf.server.org.quota;

import dev.sheaf.engine.input.RequestFields;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The quota of one organization; null means the installation's default, 0 means unlimited.
public record QuotaOverride(
        @Nullable Long bytes,
        @Nullable Long bundles,
        @Nullable Long versions) {
    private static final Set<String> MEMBERS = Set.of("bytes", "bundles", "versions");

    /// Returns the change that a merge patch (RFC 7396) describes. An unknown member is refused, since a misspelt
    /// limit would limit nothing.
    public static UnaryOperator<QuotaOverride> parse(RequestFields fields) {
        fields.only(MEMBERS);
        var bytes = member(fields, "bytes");
        var bundles = member(fields, "bundles");
        var versions = member(fields, "versions");
        return old ->
                new QuotaOverride(bytes.apply(old.bytes), bundles.apply(old.bundles), versions.apply(old.versions));
    }

    private static Function<@Nullable Long, @Nullable Long> member(RequestFields fields, String name) {
        Long count = fields.count(name);
        boolean isSent = fields.sent(name);
        return old -> isSent ? count : old;
    }

    Quota over(Quota fallback) {
        return new Quota(
                bytes == null ? fallback.bytes() : bytes,
                bundles == null ? fallback.bundles() : bundles,
                versions == null ? fallback.versions() : versions);
    }
}
