package dev.sheaf.server.bundle.recall;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.BundleName;
import dev.sheaf.model.Digest;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Version;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A version that somebody has, by its number, its digest or both.
public record VerdictQuestion(
        RepositoryName bundle,
        @Nullable Version version,
        @Nullable Digest digest) {
    private static final int MOST = 1_000;
    private static final Namespace NONE = new Namespace("none");

    /// Parses the questions of a request: 1 to 1,000.
    public static List<VerdictQuestion> parseAll(RequestFields fields) {
        var questions = new ArrayList<VerdictQuestion>();
        if (!fields.has("items")) {
            fields.error("items", "required", "is required");
        }
        for (var item : fields.objects("items", MOST)) {
            questions.add(parse(item));
        }
        return questions;
    }

    private static VerdictQuestion parse(RequestFields fields) {
        var name = new RepositoryName(
                fields.parsed("namespace", Namespace::parse, NONE),
                fields.parsed("bundle", BundleName::new, new BundleName("none")));
        var version = fields.optional("version", Version::parse);
        var digest = fields.optional("digest", Digest::parse);
        if (!fields.has("version") && !fields.has("digest")) {
            fields.error("version", "required", "is required where there is no \"digest\"");
        }
        return new VerdictQuestion(name, version, digest);
    }
}
