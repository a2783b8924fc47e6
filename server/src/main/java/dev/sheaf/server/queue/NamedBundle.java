package dev.sheaf.server.queue;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Reference;
import dev.sheaf.model.text.Quoted;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.bundle.Bundles;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Checks the bundles that queues, jobs and instructions name. Thread-safe.
public final class NamedBundle {
    private final Bundles bundles;

    public NamedBundle(Bundles bundles) {
        this.bundles = bundles;
    }

    /// Refuses invalid references, and bundles that the author may not read. Call it before the transaction.
    ///
    /// @param pointer the pointer to the member that names the bundle, such as `/bundle`
    /// @throws ProblemException validation-failed
    public void check(Caller.Known author, String pointer, @Nullable String text) {
        if (text == null) {
            return;
        }
        var parsed = ProblemException.check(pointer, () -> Reference.parse(text));
        if (parsed.isPresent()) {
            throw parsed.get().raise();
        }
        try {
            bundles.read(author, Reference.parse(text).repository());
        } catch (ProblemException e) {
            String detail = "names " + Quoted.of(text)
                    + ", a bundle that does not exist or that this credential may not read; push it first, or use"
                    + " another credential";
            throw new Problem.ValidationFailed(List.of(new Problem.FieldError(pointer, "unknown", detail))).raise();
        }
    }
}
