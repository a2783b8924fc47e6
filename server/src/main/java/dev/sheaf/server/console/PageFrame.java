package dev.sheaf.server.console;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The data of the frame around every page.
///
/// @param section the section of the navigation to which the page belongs: `browse`, `organization`, `account`,
///     `admin`, or another word for no section
/// @param search the text in the search field
/// @param formToken the token to send with every form that changes something
/// @param theme `light`, `dark`, or empty for the reader's system
/// @param isViewerKnown false if the page is the same for all readers, signed in or not
/// @param here the path and query of the page, to return to
/// @param names the names of those who did something that the page shows
/// @param feed the path of the Atom feed of what the page shows; empty if there is none
/// @param host the host by which users reach this registry
/// @param baseUrl the registry's address, without a slash at its end
public record PageFrame(
        String title,
        String section,
        String search,
        PageViewer viewer,
        boolean isViewerKnown,
        String formToken,
        String theme,
        String here,
        String host,
        String baseUrl,
        List<PageNotice> notices,
        ApiEquivalent machine,
        Names names,
        String feed,
        StaticFiles files) {
    private static final String VERSION =
            Objects.requireNonNullElse(PageFrame.class.getPackage().getImplementationVersion(), "development");

    public PageFrame {
        notices = List.copyOf(notices);
    }

    /// Returns whether the page is the search page, whose results change while the reader types.
    public boolean isSearch() {
        return here.equals("/") || here.startsWith("/?");
    }

    /// Returns the number of this version of Sheaf.
    public static String version() {
        return VERSION;
    }

    /// Returns the address of a symbol in the sprite.
    public String icon(String name) {
        return files.path("icons.svg") + "#" + name;
    }

    /// Returns the link to the sign-in page, which leads back to this page.
    public String signIn() {
        return ApiPath.of("/login").with("next", here).toString();
    }

    /// The names of the people, keys, trusted publishers and workers on a page, for members of their organization.
    ///
    /// @param known the names by actor, such as `user:ID`
    public record Names(Map<String, String> known) {
        public static final Names NONE = new Names(Map.of());

        private static final int END_OF_ID = 6;
        private static final int ID = 36;

        public Names {
            known = Map.copyOf(known);
        }

        /// Returns what a page calls an actor. Readers who are not members get the name of the namespace
        /// instead of an actor; that name is shown as it is.
        public String of(@Nullable String actor) {
            String who = PageFormat.text(actor);
            int colon = who.indexOf(':');
            if (colon < 0) {
                return PageFormat.visible(who);
            }
            String kind = who.substring(0, colon);
            String name = find(who);
            if (name.isEmpty()) {
                boolean isId = who.length() == colon + 1 + ID;
                return isId ? kind + " …" + who.substring(who.length() - END_OF_ID) : PageFormat.visible(who);
            }
            return name;
        }

        /// Returns what kind of actor has a known name; empty for a person, or if the name is not known. A
        /// page shows it outside the name, because people choose their names.
        public String kind(@Nullable String actor) {
            String who = PageFormat.text(actor);
            if (find(who).isEmpty()) {
                return "";
            }
            return switch (who.substring(0, who.indexOf(':'))) {
                case "key" -> "key";
                case "publisher" -> "trusted publisher";
                default -> "";
            };
        }

        /// Returns the name alone; empty if it is not known.
        public String find(String actor) {
            return PageFormat.visible(known.getOrDefault(actor, ""));
        }
    }
}
