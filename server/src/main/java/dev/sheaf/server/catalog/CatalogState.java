package dev.sheaf.server.catalog;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Whether this registry has a catalog.
///
/// @param known null if it has none
/// @param off why it has none, as words that follow its name
public record CatalogState(@Nullable CatalogNames known, String off) {
    /// @param isOn whether the operator wants a catalog
    public static CatalogState of(boolean isOn, String publicUrl) {
        var names = isOn ? CatalogNames.of(publicUrl) : Optional.<CatalogNames>empty();
        return new CatalogState(
                names.orElse(null), isOn ? "its public-url has no domain name" : "its operator has not switched it on");
    }

    /// @throws ProblemException not-found if there is no catalog
    public CatalogNames names() {
        if (known == null) {
            throw new Problem.NotFound("the AI Catalog of this registry (" + off + ")").raise();
        }
        return known;
    }
}
