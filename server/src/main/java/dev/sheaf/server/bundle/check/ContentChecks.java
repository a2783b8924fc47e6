package dev.sheaf.server.bundle.check;

import dev.sheaf.model.LogicalPath;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.key.SecretScan;
import dev.sheaf.server.cpu.CpuPool;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// Looks at content and says what may be wrong with it; never refuses anything (contract 3.5). Takes time in
/// proportion to the content, whatever is in it. Thread-safe.
public final class ContentChecks {
    /// A version has at most so many warnings; of more, the last says that there are.
    private static final int MAX_WARNINGS = 200;

    /// Something that its publisher should look at. `detail` never holds a secret.
    public record Warning(LogicalPath path, String code, String detail) {}

    private static final int SMALL = 32 << 10;
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final Predicate<byte[]> isJson;
    private final CpuPool cpu;

    /// @param isJson whether bytes are one JSON document
    public ContentChecks(Predicate<byte[]> isJson, CpuPool cpu) {
        this.isJson = isJson;
        this.cpu = cpu;
    }

    /// What to look at.
    ///
    /// @param whole whether `bytes` are all of the content, or only how it begins
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

    /// The same for a sample.
    ///
    /// @throws ProblemException as [CpuPool#run], where there is much to look at
    public List<Warning> of(Sample sample) {
        return sample.bytes.length <= SMALL ? looked(sample) : cpu.run(LIMIT, budget -> looked(sample));
    }

    private List<Warning> looked(Sample sample) {
        var findings = new Findings(sample.path);
        ContentSniffer.check(sample.path, sample.mediaType, sample.bytes, findings);
        refusedByGit(sample)
                .ifPresent(why -> findings.add("not-in-git", why + ", so clones with git do not get this version"));
        if (!sample.whole) {
            return findings.warnings();
        }
        var text = utf8(sample.bytes);
        boolean binary =
                ContentSniffer.isKnown(sample.bytes) || (text.isEmpty() && !ContentSniffer.isText(sample.mediaType));
        if (text.isEmpty() && ContentSniffer.isText(sample.mediaType)) {
            findings.add("not-utf8", "is declared as " + sample.mediaType + " and is not UTF-8");
        }
        text.ifPresent(known -> TextChecks.check(known, !binary, findings));
        SecretScan.find(
                text.orElseGet(() -> new String(sample.bytes, StandardCharsets.ISO_8859_1)),
                found -> findings.add(
                        "probable-secret",
                        "line " + found.line() + " holds what looks like " + found
                                + ": revoke it now, since whoever can read this version can read it"));
        if (ContentSniffer.isJson(sample.mediaType) && !isJson.test(sample.bytes)) {
            findings.add("json-invalid", "is declared as " + sample.mediaType + " and is no JSON document");
        }
        return findings.warnings();
    }

    private static Optional<String> refusedByGit(Sample sample) {
        return GitContent.refused(sample.path, sample.whole ? sample.bytes.length : Long.MAX_VALUE)
                .or(() -> GitContent.hasAttributes(sample.path) ? GitContent.refused(sample.bytes) : Optional.empty());
    }

    private static Optional<String> utf8(byte[] bytes) {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    /// The warnings of a version, cut where there are very many.
    public static List<Warning> bounded(List<Warning> warnings) {
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

    /// Collects what is found in one asset.
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
