package dev.sheaf.server.org;

import dev.sheaf.model.Role;
import dev.sheaf.model.wire.User;
import dev.sheaf.server.db.Tx;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

final class MembershipRows {
    private MembershipRows() {}

    /// @return false where the person is a member already
    static boolean insert(Tx tx, UUID organization, UUID account, Role role, String actor) {
        return tx.handle()
                        .createUpdate("""
                                INSERT INTO membership (organization_id, account_id, role, created_at, created_by)
                                VALUES (:organization, :account, :role, :now, :actor) ON CONFLICT DO NOTHING
                                """)
                        .bind("organization", organization)
                        .bind("account", account)
                        .bind("role", role)
                        .bind("now", tx.now())
                        .bind("actor", actor)
                        .execute()
                == 1;
    }

    static Optional<Role> role(Tx tx, UUID organization, UUID account) {
        return tx.handle()
                .createQuery("""
                        SELECT role FROM membership WHERE organization_id = :organization AND account_id = :account
                        """)
                .bind("organization", organization)
                .bind("account", account)
                .mapTo(Role.class)
                .findOne();
    }

    static Map<UUID, Role> of(Tx tx, UUID account) {
        var roles = new LinkedHashMap<UUID, Role>();
        tx.handle()
                .createQuery("""
                        SELECT organization_id, role FROM membership WHERE account_id = :account
                        ORDER BY created_at, organization_id
                        """)
                .bind("account", account)
                .map((row, context) ->
                        Map.entry(UUID.fromString(row.getString("organization_id")), Role.parse(row.getString("role"))))
                .forEach(entry -> roles.put(entry.getKey(), entry.getValue()));
        return roles;
    }

    static List<User.Belonging> belongings(Tx tx, UUID account) {
        return tx.handle()
                .createQuery("""
                        SELECT o.id, o.handle, o.name, m.role FROM membership m
                        JOIN organization o ON o.id = m.organization_id WHERE m.account_id = :account
                        ORDER BY m.created_at, m.organization_id
                        """)
                .bind("account", account)
                .map((row, context) -> new User.Belonging(
                        UUID.fromString(row.getString("id")),
                        row.getString("handle"),
                        row.getString("name"),
                        row.getString("role")))
                .list();
    }
}
