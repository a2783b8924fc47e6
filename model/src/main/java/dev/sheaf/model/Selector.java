package dev.sheaf.model;

import java.util.Optional;
import java.util.regex.Pattern;

/// What picks a version of a bundle. Precedence (contract 2): digest, exact version, tag, range.
public sealed interface Selector {
    /// Nothing was asked: the tag `latest`.
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

    /// A range in npm's grammar; whether it can be read is decided where ranges are matched.
    record ByRange(String range) implements Selector {
        /// The tag of the same name, which comes before the range where the bundle has it; empty where none can have
        /// it.
        public Optional<Tag> tag() {
            return Tag.isTagShaped(range) ? Optional.of(new Tag(range)) : Optional.empty();
        }

        @Override
        public String toString() {
            return range;
        }
    }

    int MAX_LENGTH = VersionRange.MAX_LENGTH;

    /// A plus where a range has a space, as forms spell it, and clients that write queries like forms. Elsewhere a
    /// plus begins build metadata, which none of these characters can follow.
    Pattern SPACE = Pattern.compile("\\+(?=[<>=~^|*])|(?<=[<>=~^|])\\+|\\+(?=-\\+)|(?<=\\+-)\\+");

    /// Reads a selector as it stands after `:` or in `?version=`; the empty text is the default. Every text up to
    /// 256 characters means something: what is neither version nor a mere word is read as a range, though a tag may
    /// have that name, see [ByRange#tag].
    ///
    /// @throws ProblemException validation-failed where `text` is longer than that
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
