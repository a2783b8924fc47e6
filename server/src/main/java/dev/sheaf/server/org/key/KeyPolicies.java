package dev.sheaf.server.org.key;

import dev.sheaf.engine.db.Database;
import dev.sheaf.server.audit.AuditRows;
import dev.sheaf.server.auth.Access;
import dev.sheaf.server.auth.ChangeOrigin;
import dev.sheaf.server.event.Event;
import dev.sheaf.server.event.OutboxRows;
import dev.sheaf.server.org.OrganizationRows;
import java.util.UUID;
import java.util.function.Consumer;

/// The policies of organizations for the expiry of their keys.
public final class KeyPolicies {
    private final Database database;

    public KeyPolicies(Database database) {
        this.database = database;
    }

    public KeyPolicy get(UUID organizationId) {
        return database.read(tx -> KeyPolicyRows.find(tx, organizationId));
    }

    /// Sets the policy of the caller's organization. Existing keys are not affected.
    ///
    /// @param check inspects the current policy, and may refuse
    /// @throws ProblemException forbidden if the caller is restricted to a part of the organization
    public KeyPolicy set(ChangeOrigin origin, KeyPolicy policy, Consumer<KeyPolicy> check) {
        Access.inPerson(origin.caller());
        Access.unrestricted(origin.caller());
        return database.write(tx -> {
            OrganizationRows.lock(tx, origin.organizationId());
            var current = KeyPolicyRows.find(tx, origin.organizationId());
            check.accept(current);
            if (!current.equals(policy)) {
                KeyPolicyRows.set(tx, origin.organizationId(), policy);
                var id = origin.organizationId().toString();
                OutboxRows.emit(tx, origin, new Event.KeyPolicyChanged(id));
                AuditRows.record(tx, origin, "key_policy.set", id);
            }
            return policy;
        });
    }
}
