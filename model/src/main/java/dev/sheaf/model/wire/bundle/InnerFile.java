package dev.sheaf.model.wire.bundle;

/// A file in an asset that is an archive.
///
/// @param path the path from the archive's root
/// @param mode Unix permissions in octal digits, such as `0755`
/// @param contentSha256 bare lower-case hex
public record InnerFile(String path, long sizeBytes, String mode, String contentSha256) {}
