package dev.sheaf.model.wire.bundle;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// An approval of a version.
///
/// @param by who gave it, such as `user:…`, or `rule:` and the number of a rule of the policy; for callers outside the
/// organization, the name of the namespace
/// @param name the name of the person; null if it is not known, and for callers outside the organization
public record VersionApproval(String by, @Nullable String name, Instant at) {}
