package dev.sheaf.server.org;

import dev.sheaf.model.Role;
import dev.sheaf.model.wire.User;
import dev.sheaf.server.auth.LiveSessionRows;
import dev.sheaf.server.db.Tx;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Who belongs to organizations, and as what (contract 5.5).
public final class Members {
    private Members() {}

    /// Where a person is a member, oldest membership first.
    public static Map<UUID, Role> of(Tx tx, UUID account) {
        return MembershipRows.of(tx, account);
    }

    /// The same, to be shown.
    public static List<User.Belonging> belongings(Tx tx, UUID account) {
        return MembershipRows.belongings(tx, account);
    }

    /// Makes somebody a member who is none; changes nothing for one who is.
    ///
    /// @return whether anything changed
    public static boolean join(Tx tx, UUID organization, UUID account, Role role, String actor) {
        boolean isNew = MembershipRows.insert(tx, organization, account, role, actor);
        if (isNew) {
            LiveSessionRows.changed(tx, account);
        }
        return isNew;
    }
}
