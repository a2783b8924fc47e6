package dev.sheaf.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.sheaf.model.oci.MediaType;
import dev.sheaf.model.text.Quoted;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Function;

/// All parsers of the vocabulary, on any bytes: they return a value that can be parsed again from its text, or
/// refuse.
class ParsersFuzz {
    private static <T> Optional<T> parsed(Function<String, T> parser, byte[] data) {
        try {
            return Optional.of(parser.apply(text(data)));
        } catch (ProblemException e) {
            assertThat(e.problem().detail()).isNotBlank();
            return Optional.empty();
        }
    }

    private static String text(byte[] data) {
        return new String(data, StandardCharsets.UTF_8);
    }

    private static <T> void readsBack(Function<String, T> parser, byte[] data) {
        parsed(parser, data)
                .ifPresent(value -> assertThat(parser.apply(value.toString())).isEqualTo(value));
    }

    @FuzzTest
    void version(byte[] data) {
        readsBack(Version::parse, data);
        parsed(Version::parse, data).ifPresent(version -> {
            assertThat(Version.ofOciTag(version.ociTag())).contains(version);
            assertThat(version.compareTo(Version.parse(version.precedence()))).isZero();
        });
    }

    @FuzzTest
    void name(byte[] data) {
        readsBack(Namespace::parse, data);
        readsBack(BundleName::parseBundle, data);
        readsBack(Handle::parse, data);
        readsBack(RepositoryName::parse, data);
    }

    @FuzzTest
    void tag(byte[] data) {
        readsBack(Tag::parse, data);
        parsed(Tag::parse, data)
                .ifPresent(tag -> assertThat(VersionSelector.parse(tag.value()))
                        .isEqualTo(
                                tag.range().isEmpty()
                                        ? new VersionSelector.ByTag(tag)
                                        : new VersionSelector.ByRange(tag.value())));
    }

    @FuzzTest
    void range(byte[] data) {
        VersionRange.find(text(data)).ifPresent(range -> range.contains(Version.parse("1.2.3-rc.1")));
    }

    @FuzzTest
    void digest(byte[] data) {
        readsBack(Digest::parse, data);
    }

    @FuzzTest
    void selector(byte[] data) {
        if (data.length > 0) {
            readsBack(VersionSelector::parse, data);
        }
    }

    @FuzzTest
    void reference(byte[] data) {
        readsBack(Reference::parse, data);
    }

    @FuzzTest
    void logicalPath(byte[] data) {
        readsBack(LogicalPath::parse, data);
        parsed(LogicalPath::parse, data).ifPresent(path -> {
            assertThat(String.join("/", path.folders()))
                    .isEqualTo(
                            path.value().substring(0, Math.max(0, path.value().lastIndexOf('/'))));
            assertThat(path.folded()).isNotEmpty();
            assertThat(path.compareTo(LogicalPath.parse(path.value()))).isZero();
        });
    }

    @FuzzTest
    void mediaType(byte[] data) {
        parsed(MediaType::parse, data)
                .ifPresent(type -> assertThat(MediaType.parse(type)).isEqualTo(type));
    }

    @FuzzTest
    void quoted(byte[] data) {
        String shown = Quoted.of(text(data));
        assertThat(shown).hasSizeLessThan(80 * 12);
        assertThat(shown.chars()).noneMatch(Character::isISOControl);
    }

    @FuzzTest
    void words(byte[] data) {
        parsed(AssetType::ofInput, data);
        parsed(Visibility::parse, data);
        parsed(YankReason::parse, data);
    }
}
