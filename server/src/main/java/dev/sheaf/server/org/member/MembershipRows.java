package dev.sheaf.server.org.member;

import dev.sheaf.model.EmailAddress;
import dev.sheaf.model.Role;
import dev.sheaf.model.wire.Member;
import dev.sheaf.model.wire.User;
import dev.sheaf.server.db.Columns;
import dev.sheaf.server.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

public final class MembershipRows {
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

    public static Map<UUID, Role> of(Tx tx, UUID account) {
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

    private static final String MEMBER = """
            SELECT m.account_id, a.email, a.username, a.full_name, m.role, a.disabled_at, m.created_at
            FROM membership m JOIN account a ON a.id = m.account_id WHERE m.organization_id = :organization
            """;

    private static Member member(ResultSet row) throws SQLException {
        return new Member(
                Columns.uuid(row, "account_id"),
                row.getString("email"),
                row.getString("username"),
                row.getString("full_name"),
                row.getString("role"),
                Columns.nullableInstant(row, "disabled_at") != null,
                Columns.instant(row, "created_at"));
    }

    static Optional<Member> find(Tx tx, UUID organization, UUID account) {
        return tx.handle()
                .createQuery(MEMBER + " AND m.account_id = :account")
                .bind("organization", organization)
                .bind("account", account)
                .map((row, context) -> member(row))
                .findOne();
    }

    static boolean hasMember(Tx tx, UUID organization, EmailAddress email) {
        return tx.handle()
                .createQuery(MEMBER + " AND a.email = :email")
                .bind("organization", organization)
                .bind("email", email)
                .map((row, context) -> member(row))
                .findOne()
                .isPresent();
    }

    static List<Member> list(Tx tx, UUID organization, String after, int limit) {
        return tx.handle()
                .createQuery(MEMBER + " AND m.account_id > :after ORDER BY m.account_id LIMIT :limit")
                .bind("organization", organization)
                .bind("after", after)
                .bind("limit", limit)
                .map((row, context) -> member(row))
                .list();
    }

    /// How many owners can sign in, without `other`.
    static long owners(Tx tx, UUID organization, @Nullable UUID other) {
        return tx.handle()
                .createQuery("""
                        SELECT count(*) FROM membership m JOIN account a ON a.id = m.account_id
                        WHERE m.organization_id = :organization AND m.role = 'owner' AND a.disabled_at IS NULL
                          AND m.account_id <> :other
                        """)
                .bind("organization", organization)
                .bind("other", other == null ? "" : other.toString())
                .mapTo(Long.class)
                .one();
    }

    static void setRole(Tx tx, UUID organization, UUID account, Role role) {
        tx.handle()
                .createUpdate("""
                        UPDATE membership SET role = :role
                        WHERE organization_id = :organization AND account_id = :account
                        """)
                .bind("role", role)
                .bind("organization", organization)
                .bind("account", account)
                .execute();
    }

    static void delete(Tx tx, UUID organization, UUID account) {
        tx.handle()
                .createUpdate("""
                        DELETE FROM membership WHERE organization_id = :organization AND account_id = :account
                        """)
                .bind("organization", organization)
                .bind("account", account)
                .execute();
    }
}
