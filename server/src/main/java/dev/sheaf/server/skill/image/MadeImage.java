package dev.sheaf.server.skill.image;

import dev.sheaf.model.Digest;
import java.util.UUID;

/// An image or artifact that was made from a version.
///
/// @param digest the digest of the manifest
public record MadeImage(
        UUID versionId,
        Digest digest,
        byte[] manifest,
        Digest configDigest,
        byte[] config,
        Digest layerDigest,
        long layerSize) {}
