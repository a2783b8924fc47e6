package dev.sheaf.client.api;

import dev.sheaf.model.text.Quoted;
import java.io.Serializable;

/// A file of a bundle that is not written to a folder because its path is not safe there.
///
/// @param path the path from the registry, unchecked
/// @param code a code for programs, such as `format` or `duplicate`
/// @param rule completes a sentence that begins "the path … "
public record RefusedPath(String path, String code, String rule) implements Serializable {
    /// Returns a line for a list: the path, a colon and the rule.
    public String named() {
        return Quoted.of(path) + ": it " + rule;
    }

    @Override
    public String toString() {
        return Quoted.of(path) + " " + rule;
    }
}
