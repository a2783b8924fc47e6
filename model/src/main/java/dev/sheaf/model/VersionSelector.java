package dev.sheaf.model;

import java.util.Optional;
import java.util.regex.Pattern;

/// Selects a version of a bundle. Precedence (contract 2): digest, exact version, tag, range.
public sealed interface VersionSelector {
    /// No selector was given; this means the tag `latest`.
    record Default() implements VersionSelector {
        @Override
        public String suffix() {
            return "";
        }

        @Override
        public String toString() {
            return Tag.LATEST.value();
        }
    }

    record ByDigest(Digest digest) implements VersionSelector {
        @Override
        public String suffix() {
            return "@" + digest;
        }

        @Override
        public boolean accepts(Version version, Digest manifest) {
            return digest.equals(manifest);
        }

        @Override
        public String toString() {
            return digest.toString();
        }
    }

    record ByVersion(Version version) implements VersionSelector {
        @Override
        public boolean accepts(Version other, Digest manifest) {
            return version.compareTo(other) == 0;
        }

        @Override
        public String toString() {
            return version.toString();
        }
    }

    record ByTag(Tag tag) implements VersionSelector {
        @Override
        public String toString() {
            return tag.value();
        }
    }

    /// A range in npm's grammar. It is only validated when it is matched.
    record ByRange(String range) implements VersionSelector {
        /// Returns the tag of the same name; empty if a tag cannot have that name. If the bundle has the tag,
        /// it takes precedence over the range.
        public Optional<Tag> tag() {
            return Tag.isTagShaped(range) ? Optional.of(new Tag(range)) : Optional.empty();
        }

        @Override
        public String toString() {
            return range;
        }
    }

    int MAX_LENGTH = VersionRange.MAX_LENGTH;

    /// Matches a plus in the place of a space: HTML forms, and clients that encode queries like forms, write a
    /// space as plus. In other places a plus begins build metadata, which never contains these characters.
    Pattern SPACE = Pattern.compile("\\+(?=[<>=~^|*])|(?<=[<>=~^|])\\+|\\+(?=-\\+)|(?<=\\+-)\\+");

    /// Returns what follows the name of the bundle in a reference.
    default String suffix() {
        return ":" + this;
    }

    /// Returns whether a registry may answer with this version. It is believed about tags and ranges, since only it
    /// knows them.
    ///
    /// @param manifest the digest of the version's manifest
    default boolean accepts(Version version, Digest manifest) {
        return true;
    }

    /// Parses a selector as it appears after `:` or in `?version=`. The empty string is the default. A string
    /// that is not a version, a digest or a plain word becomes a range, although a tag may have that name; see
    /// [ByRange#tag].
    ///
    /// @throws ProblemException validation-failed if `text` has more than 256 characters, or is an invalid
    /// digest
    static VersionSelector parse(String text) {
        if (text.length() > MAX_LENGTH) {
            throw Problem.invalid(
                    "too-long", "the version selector has " + text.length() + " characters; at most " + MAX_LENGTH);
        }
        if (text.isEmpty()) {
            return new Default();
        }
        var version = Version.find(text).or(() -> Version.ofOciTag(text));
        if (version.isPresent()) {
            return new ByVersion(version.get());
        }
        if (text.startsWith("sha256:") || text.startsWith("sha512:")) {
            return new ByDigest(Digest.parse(text));
        }
        return Tag.isWord(text)
                ? new ByTag(new Tag(text))
                : new ByRange(SPACE.matcher(text).replaceAll(" "));
    }
}
