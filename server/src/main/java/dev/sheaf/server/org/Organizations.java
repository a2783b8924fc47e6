package dev.sheaf.server.org;

import dev.sheaf.model.Problem;
import dev.sheaf.model.ProblemException;
import dev.sheaf.model.Quoted;
import dev.sheaf.model.wire.Organization;
import dev.sheaf.server.auth.Caller;
import dev.sheaf.server.db.Database;
import dev.sheaf.server.db.Tx;
import java.util.Optional;

/// Organizations, the owners of namespaces and keys.
public final class Organizations {
    private final Database database;

    public Organizations(Database database) {
        this.database = database;
    }

    /// The caller's own organization under its id or handle, as it stands in a path.
    ///
    /// @throws ProblemException not-found for any other, whether it exists or not
    public Organization own(Caller.Known caller, String idOrHandle) {
        return of(caller)
                .filter(organization ->
                        idOrHandle.equals(organization.id().toString()) || idOrHandle.equals(organization.handle()))
                .orElseThrow(() -> new Problem.NotFound("organization " + Quoted.of(idOrHandle)).raise());
    }

    /// Any organization, by its id or handle: for the installation's administrators and for rules.
    ///
    /// @throws ProblemException not-found
    public static Organization find(Tx tx, String idOrHandle) {
        return OrganizationRows.find(tx, idOrHandle)
                .orElseThrow(() -> new Problem.NotFound("organization " + Quoted.of(idOrHandle)).raise());
    }

    /// The caller's organization; empty for people who are members of none.
    public Optional<Organization> of(Caller.Known caller) {
        return database.read(tx -> OrganizationRows.find(tx, caller.organizationId()));
    }
}
