package dev.sheaf.server.event;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An event in a feed.
///
/// @param seq its number in the feed
/// @param bundle null if it is not about a bundle
/// @param audience the members of the organization who may see it, as stored
/// @param data JSON
/// @param actor the actor, such as `key:…`; null for the server itself, or if unknown
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
