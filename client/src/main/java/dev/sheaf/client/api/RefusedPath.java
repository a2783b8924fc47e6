package dev.sheaf.client.api;

import dev.sheaf.model.text.Quoted;

/// A file of a bundle that is not written to a folder because its path could do harm there.
///
/// @param path from the registry, unchecked
/// @param code for programs, such as `format` or `duplicate`
/// @param rule completes a sentence that begins "the path … "
public record RefusedPath(String path, String code, String rule) {
    /// Returns an item for a list: the path, a colon, the rule.
    public String named() {
        return Quoted.of(path) + ": it " + rule;
    }

    @Override
    public String toString() {
        return Quoted.of(path) + " " + rule;
    }
}
