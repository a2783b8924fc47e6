package dev.sheaf.model;

import java.util.Optional;
import java.util.regex.Pattern;

/// Selects a version of a bundle. Precedence (contract 2): digest, exact version, tag, range.
public sealed interface Selector {
    /// No selector was given: the tag `latest`.
    record Default() implements Selector {
        @Override
        public String toString() {
            return Tag.LATEST.value();
        }
    }

    record ByDigest(Digest digest) implements Selector {
        @Override
        public String toString() {
            return digest.toString();
        }
    }

    record ByVersion(Version version) implements Selector {
        @Override
        public String toString() {
            return version.toString();
        }
    }

    record ByTag(Tag tag) implements Selector {
        @Override
        public String toString() {
            return tag.value();
        }
    }

    /// A range in npm's grammar. Whether it is valid is decided when it is matched.
    record ByRange(String range) implements Selector {
        /// Returns the tag of the same name, which takes precedence over the range if the bundle has it; empty
        /// if no tag can have that name.
        public Optional<Tag> tag() {
            return Tag.isTagShaped(range) ? Optional.of(new Tag(range)) : Optional.empty();
        }

        @Override
        public String toString() {
            return range;
        }
    }

    int MAX_LENGTH = VersionRange.MAX_LENGTH;

    /// Matches a plus where a range has a space: HTML forms, and clients that encode queries like forms, write a
    /// space as plus. Elsewhere a plus begins build metadata, which none of these characters can follow.
    Pattern SPACE = Pattern.compile("\\+(?=[<>=~^|*])|(?<=[<>=~^|])\\+|\\+(?=-\\+)|(?<=\\+-)\\+");

    /// Parses a selector as it appears after `:` or in `?version=`. The empty text is the default. Every text of
    /// up to 256 characters is accepted: a text that is neither a version nor a plain word is taken for a range,
    /// though a tag may have that name, see [ByRange#tag].
    ///
    /// @throws ProblemException validation-failed if `text` is longer
    static Selector parse(String text) {
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
