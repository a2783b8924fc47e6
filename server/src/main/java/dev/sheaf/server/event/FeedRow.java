package dev.sheaf.server.event;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An event in a feed.
///
/// @param seq its number in the feed
/// @param bundle null if it is not about a bundle
/// @param audience who in the organization may see it, as stored
/// @param data JSON
/// @param actor such as `key:…`; null for the service itself, or if unknown
public record FeedRow(
        UUID id,
        long seq,
        String type,
        UUID organizationId,
        String subject,
        @Nullable String bundle,
        String audience,
        String data,
        Instant createdAt,
        @Nullable String actor,
        @Nullable String actorName) {}
