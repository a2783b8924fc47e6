package dev.sheaf.server.event;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An event in a feed.
///
/// @param seq its place there
/// @param bundle that it is about; null: about none
/// @param audience whom of its organization it is for, as rows have it
/// @param data JSON
/// @param actor such as `key:…`; null: the service itself, or not known
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
