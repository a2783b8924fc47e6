package dev.sheaf.server.bundle.recall;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.Version;
import dev.sheaf.model.VersionRange;
import dev.sheaf.server.bundle.Recall;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
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

    private static final int MAX_NAMES = 1_000;
    private static final int MAX_RANGE = 200;

    public RecallRequest {
        versions = List.copyOf(versions);
        digests = List.copyOf(digests);
        expected = List.copyOf(expected);
    }

    public static RecallRequest parse(RequestFields fields) {
        var versions = all(fields, "versions", Version::parse);
        var digests = all(fields, "digests", Digest::parse);
        String range = fields.optional("range", MAX_RANGE);
        var expected = all(fields, "expected", Version::parse);
        int ways = (versions.isEmpty() ? 0 : 1) + (digests.isEmpty() ? 0 : 1) + (range == null ? 0 : 1);
        if (ways != 1) {
            fields.error(
                    "versions",
                    "required",
                    "name what to recall in one way: \"versions\", \"digests\", or \"range\" with \"expected\"");
        }
        if (range != null) {
            fields.check(
                    "range",
                    () -> VersionRange.find(range)
                            .orElseThrow(
                                    () -> Problem.invalid("format", "must be a range of versions such as \"<1.2.4\"")));
            if (!fields.has("expected")) {
                fields.error("expected", "required", "must name the versions that the range is expected to have");
            }
        } else if (!expected.isEmpty()) {
            fields.error("expected", "unknown", "belongs to a \"range\"");
        }
        boolean force = Boolean.TRUE.equals(fields.flag("force"));
        return new RecallRequest(versions, digests, range, expected, Recall.parse(fields), force);
    }

    /// Reads the values of an array; those that are wrong are reported and left out.
    public static <T> List<T> all(RequestFields fields, String name, Function<String, T> parser) {
        var texts = fields.texts(name);
        var parsed = new ArrayList<T>();
        if (texts == null) {
            return parsed;
        }
        if (texts.size() > MAX_NAMES) {
            fields.error(name, "range", "has " + texts.size() + " entries; at most " + MAX_NAMES);
            return parsed;
        }
        for (int i = 0; i < texts.size(); i++) {
            String text = texts.get(i);
            @Nullable T one = fields.checked(name + "/" + i, () -> parser.apply(text), null);
            if (one != null) {
                parsed.add(one);
            }
        }
        return parsed;
    }
}
