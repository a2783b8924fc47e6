package dev.sheaf.model.wire.org;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a claim of an id_token must be: exactly one of the three is there.
///
/// @param equals this value
/// @param in one of these
/// @param matches this pattern, where `*` stands for any characters, also none
public record ClaimCondition(
        String claim,
        @Nullable String equals,
        @Nullable List<String> in,
        @Nullable String matches) {
    public ClaimCondition {
        in = in == null ? null : List.copyOf(in);
    }
}
