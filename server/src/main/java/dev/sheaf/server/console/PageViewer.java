package dev.sheaf.server.console;

import dev.sheaf.model.wire.account.User;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The reader of a page.
///
/// @param user the signed-in person; null if the reader is not signed in
public record PageViewer(@Nullable User user, boolean isAdministrator) {
    private static final String UNNAMED = "default"; // the first organization, until somebody names it

    static final PageViewer ANONYMOUS = new PageViewer(null, false);

    public boolean isSignedIn() {
        return user != null;
    }

    /// Returns the name in the head of the page.
    public String name() {
        if (user == null) {
            return "";
        }
        String full = user.fullName();
        return full == null || full.isBlank() ? user.email() : PageFormat.visible(full);
    }

    /// Returns the zone for times.
    public ZoneId zone() {
        return ReaderZone.of(user == null ? null : user.timeZone());
    }

    /// Returns the name of that zone.
    public String zoneName() {
        return zone().equals(ZoneOffset.UTC) ? "UTC" : zone().getId();
    }

    public List<User.Belonging> organizations() {
        return user == null ? List.of() : user.organizations();
    }

    /// The link to the viewer's organizations.
    public record Home(String label, String path) {}

    /// Returns the link to the viewer's organization, or to the list if there are several, or none.
    public Home home() {
        var all = organizations();
        if (all.size() != 1) {
            return new Home("Organizations", "/organizations");
        }
        var only = all.getFirst();
        return new Home(
                only.name().equals(UNNAMED) ? "Organization" : PageFormat.visible(only.name()),
                ApiPath.of("/organizations/{}", only.handle()).toString());
    }

    /// Returns the viewer's role in an organization, by its id or handle; empty if the viewer is not a member.
    public Optional<User.Belonging> in(String organization) {
        return organizations().stream()
                .filter(own ->
                        own.handle().equals(organization) || own.id().toString().equals(organization))
                .findFirst();
    }
}
