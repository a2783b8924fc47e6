package dev.sheaf.client.api;

import dev.sheaf.model.text.Quoted;

/// A file of a bundle that is not written to any folder, since its path could do harm there.
///
/// @param path as the registry wrote it; it may hold anything
/// @param code a word for programs, such as `format` or `duplicate`
/// @param rule goes on where "the path … " begins
public record RefusedPath(String path, String code, String rule) {
    /// As an item of a list: the path, a colon, the rule.
    public String named() {
        return Quoted.of(path) + ": it " + rule;
    }

    @Override
    public String toString() {
        return Quoted.of(path) + " " + rule;
    }
}
