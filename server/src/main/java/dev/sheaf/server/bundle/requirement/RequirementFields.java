package dev.sheaf.server.bundle.requirement;

import dev.sheaf.engine.input.RequestFields;
import dev.sheaf.model.BundleName;
import dev.sheaf.model.Namespace;
import dev.sheaf.model.RepositoryName;
import dev.sheaf.model.Requirement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the member `requires` of a request.
public final class RequirementFields {
    private static final String ANY = "*";
    private static final RepositoryName NO_BUNDLE = new RepositoryName(new Namespace("none"), new BundleName("none"));

    private RequirementFields() {}

    /// Returns the requirements; null if the member is absent.
    public static @Nullable List<Requirement> parse(RequestFields fields) {
        var entries = fields.anyObjects("requires", Requirement.MOST);
        return entries == null
                ? null
                : entries.stream().map(RequirementFields::one).toList();
    }

    private static Requirement one(RequestFields entry) {
        return new Requirement(
                entry.parsed("bundle", RepositoryName::parse, NO_BUNDLE),
                entry.parsed("range", Requirement::parseRange, ANY),
                Boolean.TRUE.equals(entry.flag("optional")));
    }
}
