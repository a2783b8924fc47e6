package dev.sheaf.model.wire.org;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A condition for a claim of an id_token. Exactly one of the last three members is set.
///
/// @param equals the claim has this value
/// @param in the claim has one of these values
/// @param matches the claim matches this pattern, where `*` stands for any number of characters
public record ClaimCondition(
        String claim,
        @Nullable String equals,
        @Nullable List<String> in,
        @Nullable String matches) {
    public ClaimCondition {
        in = in == null ? null : List.copyOf(in);
    }
}
