package dev.sheaf.server.org.member;

import dev.sheaf.engine.db.Tx;
import dev.sheaf.model.EmailAddress;
import dev.sheaf.model.Role;
import dev.sheaf.model.wire.account.User;
import dev.sheaf.model.wire.org.Member;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

public final class MembershipRows {
    /// How long a person whom an API key gave a role may not decide alone, and hands this on to whom they give one.
    public static final Duration NEW = Duration.ofDays(1);

    private MembershipRows() {}

    /// @param grantedBy who decided that the person becomes a member
    /// @return false if the person is already a member
    static boolean insert(Tx tx, UUID organization, UUID account, Role role, String actor, String grantedBy) {
        record Row(UUID organization, UUID account, Role role, Instant now, String actor, String grantedBy) {}
        return tx.change(
                        """
                INSERT INTO membership (organization_id, account_id, role, created_at, created_by, granted_by, granted_at)
                VALUES (:organization, :account, :role, :now, :actor, :grantedBy, :now) ON CONFLICT DO NOTHING
                """, new Row(organization, account, role, tx.now(), actor, source(tx, organization, grantedBy)))
                == 1;
    }

    /// Returns whether an API key gave a member the present role lately, itself or through people whom it gave theirs.
    public static boolean isNewByKey(Tx tx, UUID organization, UUID account) {
        return key(tx, organization, account.toString()).isPresent();
    }

    /// Returns who is behind a role that somebody gives: a key, if it gave this person theirs lately. Else a stolen key
    /// would make two people, who then make each other.
    private static String source(Tx tx, UUID organization, String actor) {
        return actor.startsWith("user:")
                ? key(tx, organization, actor.substring("user:".length())).orElse(actor)
                : actor;
    }

    private static Optional<String> key(Tx tx, UUID organization, String account) {
        return tx.find(
                """
                        SELECT granted_by FROM membership WHERE organization_id = :organization AND account_id = :account
                        AND granted_by LIKE 'key:%' AND granted_at >= :since
                        """,
                String.class,
                "organization",
                organization,
                "account",
                account,
                "since",
                tx.now().minus(NEW));
    }

    static Optional<Role> role(Tx tx, UUID organization, UUID account) {
        return tx.find("""
                        SELECT role FROM membership WHERE organization_id = :organization AND account_id = :account
                        """, Role.class, "organization", organization, "account", account);
    }

    /// Returns the role of a person who can sign in.
    public static Optional<Role> activeRole(Tx tx, UUID organization, UUID account) {
        return tx.find("""
                        SELECT m.role FROM membership m JOIN account a ON a.id = m.account_id
                        WHERE m.organization_id = :organization AND m.account_id = :account AND a.disabled_at IS NULL
                        """, Role.class, "organization", organization, "account", account);
    }

    /// Returns the people of an organization who can sign in, with their roles.
    public static Map<UUID, Role> active(Tx tx, UUID organization) {
        return tx.map("""
                SELECT m.account_id, m.role FROM membership m JOIN account a ON a.id = m.account_id
                WHERE m.organization_id = :organization AND a.disabled_at IS NULL
                """, UUID.class, Role.class, "organization", organization);
    }

    public static Map<UUID, Role> of(Tx tx, UUID account) {
        var roles = new LinkedHashMap<UUID, Role>();
        record Row(UUID organizationId, Role role) {}
        tx.list("""
                        SELECT organization_id, role FROM membership WHERE account_id = :account
                        ORDER BY created_at, organization_id
                        """, Row.class, "account", account).forEach(row -> roles.put(row.organizationId(), row.role()));
        return roles;
    }

    static List<User.Belonging> belongings(Tx tx, UUID account) {
        return tx.list("""
                        SELECT o.id, o.handle, o.name, m.role FROM membership m
                        JOIN organization o ON o.id = m.organization_id WHERE m.account_id = :account
                        ORDER BY m.created_at, m.organization_id
                        """, User.Belonging.class, "account", account);
    }

    private static final String MEMBER = """
            SELECT m.account_id AS user_id, a.email, a.username, a.full_name, m.role, m.created_at,
                   a.disabled_at IS NOT NULL AS disabled
            FROM membership m JOIN account a ON a.id = m.account_id WHERE m.organization_id = :organization
            """;

    static Optional<Member> find(Tx tx, UUID organization, UUID account) {
        return tx.find(
                MEMBER + " AND m.account_id = :account",
                Member.class,
                "organization",
                organization,
                "account",
                account);
    }

    static boolean hasMember(Tx tx, UUID organization, EmailAddress email) {
        return tx.has(MEMBER + " AND a.email = :email", "organization", organization, "email", email);
    }

    static List<Member> list(Tx tx, UUID organization, String after, int limit) {
        return tx.list(
                MEMBER + " AND m.account_id > :after ORDER BY m.account_id LIMIT :limit",
                Member.class,
                "organization",
                organization,
                "after",
                after,
                "limit",
                limit);
    }

    /// Counts the owners who can sign in, except `other`.
    static long owners(Tx tx, UUID organization, @Nullable UUID other) {
        return tx.number("""
                        SELECT count(*) FROM membership m JOIN account a ON a.id = m.account_id
                        WHERE m.organization_id = :organization AND m.role = 'owner' AND a.disabled_at IS NULL
                          AND m.account_id <> :other
                        """, "organization", organization, "other", other == null ? "" : other.toString());
    }

    static void setRole(Tx tx, UUID organization, UUID account, Role role, String actor) {
        tx.change(
                """
                        UPDATE membership SET role = :role, granted_by = :actor, granted_at = :now
                        WHERE organization_id = :organization AND account_id = :account
                        """,
                "role",
                role,
                "organization",
                organization,
                "account",
                account,
                "actor",
                source(tx, organization, actor));
    }

    static void delete(Tx tx, UUID organization, UUID account) {
        tx.change("""
                        DELETE FROM membership WHERE organization_id = :organization AND account_id = :account
                        """, "organization", organization, "account", account);
    }
}
