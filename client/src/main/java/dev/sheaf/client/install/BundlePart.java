package dev.sheaf.client.install;

import dev.sheaf.client.agents.Agents;
import dev.sheaf.client.agents.ContentKind;
import dev.sheaf.client.agents.ServerForm;
import dev.sheaf.client.agents.ThingName;
import dev.sheaf.client.api.Asset;
import dev.sheaf.model.Digest;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/// A part of a bundle that agent programs read: a skill, an agent, a server and so on.
///
/// @param files the files by their paths in the thing; the path is empty if the thing is a single file; for a
/// server, its entries by their forms, without those that no program with that form can have
record BundlePart(ThingName name, SortedMap<String, Piece> files) {
    /// A file of the thing.
    record Piece(Digest digest, boolean executable) {
        static Piece of(Asset asset) {
            return new Piece(asset.digest(), Boolean.TRUE.equals(asset.executable()));
        }

        /// Returns the text for a lock.
        @Override
        public String toString() {
            return digest + (executable ? " executable" : "");
        }

        /// @throws dev.sheaf.model.ProblemException validation-failed if it is malformed
        static Piece parse(String text) {
            boolean executable = text.endsWith(" executable");
            return new Piece(
                    Digest.parse(executable ? text.substring(0, text.length() - " executable".length()) : text),
                    executable);
        }
    }

    BundlePart {
        files = Collections.unmodifiableSortedMap(new TreeMap<>(files));
    }

    boolean isServer() {
        return name.kind() == ContentKind.MCP;
    }

    boolean isPlugin() {
        return name.kind() == ContentKind.PLUGIN;
    }

    /// Returns whether files of the bundle must be read to know what is in the thing.
    boolean isRead() {
        return isServer() || isPlugin();
    }

    /// Returns whether the thing can be written to a place.
    boolean fits(String place) {
        return !isServer() || files.containsKey(Agents.form(place).toString());
    }

    /// Returns the digest of a server's entry.
    Digest entry(ServerForm form) {
        return Objects.requireNonNull(files.get(form.toString())).digest();
    }

    /// Returns a digest of the files and modes. Two versions with the same files and modes have the same
    /// digest.
    Digest digest() {
        var text = new StringBuilder();
        files.forEach(
                (path, piece) -> text.append(path).append('\0').append(piece).append('\n'));
        return Digest.sha256(text.toString().getBytes(StandardCharsets.UTF_8));
    }

    /// Returns the path of a file of the thing.
    ///
    /// @param place the place of the thing
    static String file(String place, String inside) {
        return inside.isEmpty() ? place : place + "/" + inside;
    }
}
