package dev.sheaf.server.bundle.recall;

import dev.sheaf.engine.db.Database;
import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Version;
import dev.sheaf.model.wire.bundle.VersionVerdict;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.bundle.BundleSnapshot;
import dev.sheaf.server.bundle.Bundles;
import dev.sheaf.server.bundle.DeprecationNotice;
import dev.sheaf.server.bundle.VersionRow;
import dev.sheaf.server.bundle.VersionRows;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Says of versions that somebody has whether they may still be used. The answer belongs to a digest in its bundle: the
/// same content in another bundle has an answer of its own. Thread-safe.
public final class Verdicts {
    private final Database database;
    private final Bundles bundles;

    public Verdicts(Database database, Bundles bundles) {
        this.database = database;
        this.bundles = bundles;
    }

    /// Returns an answer for each question, in their order. What the caller may not read is unknown, like what does not
    /// exist.
    public List<VersionVerdict> of(Caller caller, List<VerdictQuestion> questions) {
        var places = new LinkedHashMap<VerdictQuestion, VersionVerdict>();
        questions.stream()
                .collect(Collectors.groupingBy(VerdictQuestion::bundle, LinkedHashMap::new, Collectors.toList()))
                .forEach((name, asked) -> {
                    var bundle = bundle(caller, asked.getFirst());
                    if (bundle == null) {
                        asked.forEach(question -> places.put(question, unknown(question)));
                    } else {
                        places.putAll(database.read(tx -> in(tx, bundle, asked)));
                    }
                });
        return questions.stream()
                .map(question -> Objects.requireNonNull(places.get(question)))
                .toList();
    }

    private @Nullable BundleSnapshot bundle(Caller caller, VerdictQuestion question) {
        try {
            return bundles.read(caller, question.bundle());
        } catch (ProblemException e) {
            if (e.problem() instanceof Problem.Missing || e.problem() instanceof Problem.Credential) {
                return null;
            }
            throw e;
        }
    }

    private static Map<VerdictQuestion, VersionVerdict> in(
            Tx tx, BundleSnapshot bundle, Collection<VerdictQuestion> asked) {
        var versions = new ArrayList<Version>();
        var digests = new ArrayList<Digest>();
        for (var question : asked) {
            if (question.version() != null) {
                versions.add(question.version());
            } else if (question.digest() != null) {
                digests.add(question.digest());
            }
        }
        var byNumber = new HashMap<String, VersionRow>();
        VersionRows.numbered(tx, bundle.bundle().id(), versions)
                .forEach(row -> byNumber.put(row.version().precedence(), row));
        var byDigest = new HashMap<Digest, VersionRow>();
        VersionRows.withDigests(tx, bundle.bundle().id(), digests)
                .forEach(row -> byDigest.putIfAbsent(row.digest(), row));
        var answers = new HashMap<VerdictQuestion, VersionVerdict>();
        for (var question : asked) {
            var row = question.version() != null
                    ? byNumber.get(question.version().precedence())
                    : byDigest.get(question.digest());
            answers.put(question, row != null && isMeant(question, row) ? verdict(bundle, row) : unknown(question));
        }
        return answers;
    }

    private static boolean isMeant(VerdictQuestion question, VersionRow row) {
        return (question.digest() == null || question.digest().equals(row.digest()))
                && (question.version() == null
                        || question.version().build().isEmpty()
                        || question.version().equals(row.version()));
    }

    private static VersionVerdict unknown(VerdictQuestion question) {
        return new VersionVerdict(
                question.bundle().namespace().value(),
                question.bundle().bundle().value(),
                question.version() == null ? null : question.version().toString(),
                question.digest() == null ? null : question.digest().toString(),
                "unknown",
                null,
                null,
                null,
                null);
    }

    private static VersionVerdict verdict(BundleSnapshot bundle, VersionRow row) {
        var recall = row.recall();
        if (recall != null) {
            String severity = recall.severity().toString();
            return verdict(bundle, row, "recalled", recall.reason(), severity, recall.replacement(), recall.advisory());
        }
        if (row.isYanked()) {
            return verdict(bundle, row, "yanked", row.yankReason(), null, row.yankReplacement(), null);
        }
        @Nullable
        DeprecationNotice notice = row.deprecation() == null ? bundle.bundle().deprecation() : row.deprecation();
        return notice == null
                ? verdict(bundle, row, "ok", null, null, null, null)
                : verdict(bundle, row, "deprecated", notice.message(), null, notice.replacement(), null);
    }

    private static VersionVerdict verdict(
            BundleSnapshot bundle,
            VersionRow row,
            String verdict,
            @Nullable String reason,
            @Nullable String severity,
            @Nullable String replacement,
            @Nullable String advisory) {
        return new VersionVerdict(
                bundle.name().namespace().value(),
                bundle.name().bundle().value(),
                row.version().toString(),
                row.digest().toString(),
                verdict,
                reason == null || reason.isBlank() ? null : reason,
                severity,
                replacement,
                advisory);
    }
}
