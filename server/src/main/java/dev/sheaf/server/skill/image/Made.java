package dev.sheaf.server.skill.image;

import dev.sheaf.model.Digest;
import java.util.UUID;

/// What was made of a version.
///
/// @param digest of the manifest
public record Made(
        UUID versionId,
        Digest digest,
        byte[] manifest,
        Digest configDigest,
        byte[] config,
        Digest layerDigest,
        long layerSize) {}
