package dev.sheaf.server.bundle.check;

import dev.sheaf.engine.cpu.CpuPool;
import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.key.SecretScan;
import dev.sheaf.model.text.Utf8Text;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// Checks content and returns warnings; never refuses anything (contract 3.5). Takes time linear in the size of
/// the content, whatever it is. Thread-safe.
public final class ContentChecks {
    /// Limit of warnings per version; if there are more, the last warning says so.
    private static final int MAX_WARNINGS = 200;

    /// A warning for the publisher. `detail` never contains a secret.
    public record Warning(LogicalPath path, String code, String detail) {}

    /// The code of a warning that a file is not text.
    public static final String BINARY = "binary";

    private static final int SMALL = 32 << 10;
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final Predicate<byte[]> isJson;
    private final CpuPool cpu;

    /// @param isJson whether bytes are one JSON document
    public ContentChecks(Predicate<byte[]> isJson, CpuPool cpu) {
        this.isJson = isJson;
        this.cpu = cpu;
    }

    /// The content to check.
    ///
    /// @param whole whether `bytes` are the whole content, or only its beginning
    public static final class Sample {
        private final LogicalPath path;
        private final String mediaType;
        private final byte[] bytes;
        private final boolean whole;

        public Sample(LogicalPath path, String mediaType, byte[] bytes, boolean whole) {
            this.path = path;
            this.mediaType = mediaType;
            this.bytes = bytes;
            this.whole = whole;
        }
    }

    /// Checks the whole content of an asset.
    public List<Warning> of(LogicalPath path, String mediaType, byte[] bytes) {
        return of(new Sample(path, mediaType, bytes, true));
    }

    /// Checks a sample.
    ///
    /// @throws ProblemException those of [CpuPool#run], for large samples
    public List<Warning> of(Sample sample) {
        return sample.bytes.length <= SMALL ? looked(sample) : cpu.run(LIMIT, budget -> looked(sample));
    }

    private List<Warning> looked(Sample sample) {
        var findings = new Findings(sample.path);
        ContentSniffer.check(sample.path, sample.mediaType, sample.bytes, findings);
        refusedByGit(sample)
                .ifPresent(why -> findings.add("not-in-git", why + ", so git clones do not contain this version"));
        if (!isText(sample)) {
            findings.add(
                    BINARY,
                    "is not UTF-8 text, so programs that pull a version in one request, without binary=base64, cannot"
                            + " pull this one: they get 409. sheaf pull and OCI clients can");
        }
        if (!sample.whole) {
            return findings.warnings();
        }
        var text = Utf8Text.of(sample.bytes);
        boolean binary =
                ContentSniffer.isKnown(sample.bytes) || (text.isEmpty() && !ContentSniffer.isText(sample.mediaType));
        if (text.isEmpty() && ContentSniffer.isText(sample.mediaType)) {
            findings.add("not-utf8", "is declared as " + sample.mediaType + " but is not UTF-8");
        }
        text.ifPresent(known -> TextChecks.check(known, !binary, findings));
        SecretScan.find(
                text.orElseGet(() -> new String(sample.bytes, StandardCharsets.ISO_8859_1)),
                found -> findings.add(
                        "probable-secret",
                        "line " + found.line() + " contains what looks like " + found
                                + ": revoke it now, because everybody who can read this version can read it"));
        if (ContentSniffer.isJson(sample.mediaType) && !isJson.test(sample.bytes)) {
            findings.add("json-invalid", "is declared as " + sample.mediaType + " but is not valid JSON");
        }
        return findings.warnings();
    }

    private static Optional<String> refusedByGit(Sample sample) {
        return GitContent.refused(sample.path, sample.whole ? sample.bytes.length : Long.MAX_VALUE)
                .or(() -> GitContent.hasAttributes(sample.path) ? GitContent.refused(sample.bytes) : Optional.empty());
    }

    /// Returns whether content is UTF-8, or begins so.
    private static boolean isText(Sample sample) {
        var bytes = ByteBuffer.wrap(sample.bytes);
        var chars = CharBuffer.allocate(sample.bytes.length);
        return !StandardCharsets.UTF_8
                .newDecoder()
                .decode(bytes, chars, sample.whole)
                .isError();
    }

    /// Returns the warnings of a version, with one for all files that are not text.
    public static List<Warning> ofVersion(List<Warning> warnings) {
        var binary = warnings.stream()
                .filter(warning -> warning.code().equals(BINARY))
                .toList();
        if (binary.size() < 2) {
            return bounded(warnings);
        }
        var first = binary.getFirst();
        int others = binary.size() - 1;
        var summed = new ArrayList<>(warnings);
        summed.removeAll(binary);
        summed.addFirst(new Warning(
                first.path(),
                BINARY,
                first.detail() + "; the same goes for " + others + (others == 1 ? " other file" : " other files")));
        return bounded(summed);
    }

    /// Limits the warnings of a version. What runs by itself comes first, so that others cannot push it out.
    public static List<Warning> bounded(List<Warning> all) {
        var warnings = new ArrayList<>(all);
        warnings.sort(Comparator.comparing(warning -> !warning.code().equals(SkillChecks.RUNS)));
        if (warnings.size() <= MAX_WARNINGS) {
            return List.copyOf(warnings);
        }
        var shown = new ArrayList<>(warnings.subList(0, MAX_WARNINGS - 1));
        shown.add(new Warning(
                warnings.get(MAX_WARNINGS - 1).path(),
                "more",
                "and " + (warnings.size() - MAX_WARNINGS + 1) + " more warnings, on this asset and those after it"));
        return List.copyOf(shown);
    }

    /// Collects the warnings of one asset.
    static final class Findings {
        private final LogicalPath path;
        private final List<Warning> warnings = new ArrayList<>(2);

        Findings(LogicalPath path) {
            this.path = path;
        }

        void add(String code, String detail) {
            warnings.add(new Warning(path, code, detail));
        }

        List<Warning> warnings() {
            return List.copyOf(warnings);
        }
    }
}
