package dev.sheaf.server.bundle.recall;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Version;
import dev.sheaf.model.VersionRange;
import dev.sheaf.server.bundle.Recall;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The request to recall versions of a bundle: named by their numbers, their digests, or a range.
///
/// @param range null if they are named
/// @param expected the versions that the caller takes to be in the range
/// @param force whether more than [#MOST] versions may be recalled
public record RecallRequest(
        List<Version> versions,
        List<Digest> digests,
        @Nullable String range,
        List<Version> expected,
        Recall recall,
        boolean force) {
    /// The most versions of one request that is not forced.
    public static final int MOST = 100;

    /// The most names in a list of a request.
    public static final int MAX_NAMES = 1_000;
    private static final int MAX_RANGE = 200;

    public RecallRequest {
        versions = List.copyOf(versions);
        digests = List.copyOf(digests);
        expected = List.copyOf(expected);
    }

    public static RecallRequest parse(RequestFields fields) {
        var versions = fields.parsedTexts("versions", 1, MAX_NAMES, Version::parse);
        var digests = fields.parsedTexts("digests", 1, MAX_NAMES, Digest::parse);
        String range = fields.optional("range", MAX_RANGE);
        var expected = fields.parsedTexts("expected", 0, MAX_NAMES, Version::parse);
        long ways =
                Stream.of("versions", "digests", "range").filter(fields::has).count();
        if (ways == 0) {
            fields.error("versions", "required", "are required, or \"digests\", or a \"range\" with \"expected\"");
        } else if (ways > 1) {
            fields.error(
                    "versions",
                    "unknown",
                    "cannot be sent together with \"digests\" or \"range\"; choose one way to name what to recall");
        }
        if (range != null) {
            if (VersionRange.find(range).isEmpty()) {
                fields.error("range", "format", "must be a range of versions such as \"<1.2.4\"");
            }
            if (ways == 1 && !fields.has("expected")) {
                fields.error("expected", "required", "must name the versions that the range is expected to have");
            }
        } else if (!expected.isEmpty()) {
            fields.error("expected", "unknown", "belongs to a \"range\"");
        }
        boolean force = Boolean.TRUE.equals(fields.flag("force"));
        return new RecallRequest(versions, digests, range, expected, Recall.parse(fields), force);
    }
}
