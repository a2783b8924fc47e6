package dev.sheaf.model.wire.bundle;

import org.jspecify.annotations.Nullable;

/// The pulls of a version on a UTC day, by one kind of client or by one credential. Each client counts once per version
/// and day.
///
/// @param day such as `2026-01-15`
/// @param client `sheaf`, `oci`, `git`, `skills`, `plugins`, `mcp`, `apm`, `clawhub`, `browser` or `other`; a later
///     registry may know more
/// @param pulls the number of pulls; null if it is not told, because few of them came from outside of the owning
///     organization
/// @param own pulls by the owning organization; null if the caller is not a member of it
/// @param outsideBelow if `pulls` is null: fewer than this number came from outside, perhaps none
/// @param credential a key (`key:…`) or trusted publisher (`publisher:…`); only in lists by credential
/// @param credentialName its name; null if it was deleted
public record UsageRow(
        String day,
        String version,
        String client,
        @Nullable Long pulls,
        @Nullable Long own,
        @Nullable Long outsideBelow,
        @Nullable String credential,
        @Nullable String credentialName) {}
