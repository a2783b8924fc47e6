package dev.sheaf.server.console;

import dev.sheaf.model.wire.account.User;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Whom a page is shown to.
///
/// @param user null: nobody has signed in
public record Viewer(@Nullable User user, boolean isAdministrator) {
    static final Viewer ANONYMOUS = new Viewer(null, false);

    public boolean isSignedIn() {
        return user != null;
    }

    /// The name in the head of the page.
    public String name() {
        if (user == null) {
            return "";
        }
        String full = user.fullName();
        return full == null || full.isBlank() ? user.email() : full;
    }

    /// In which times are shown.
    public ZoneId zone() {
        return ReaderZone.of(user == null ? null : user.timeZone());
    }

    /// What that zone is called.
    public String zoneName() {
        return zone().equals(ZoneOffset.UTC) ? "UTC" : zone().getId();
    }

    public List<User.Belonging> organizations() {
        return user == null ? List.of() : user.organizations();
    }

    /// What the viewer is in an organization, by its id or handle; empty: no member.
    public Optional<User.Belonging> in(String organization) {
        return organizations().stream()
                .filter(own ->
                        own.handle().equals(organization) || own.id().toString().equals(organization))
                .findFirst();
    }
}
