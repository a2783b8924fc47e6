package dev.sheaf.server.console;

import java.util.List;

/// What stands around every page.
///
/// @param section of the head that the page belongs to: `browse`, `organization`, `account`, `admin`, or none of them
/// @param search what stands in the field for searching
/// @param formToken to be sent with every form that changes something
/// @param theme `light`, `dark`, or empty for what the reader's system has
/// @param here the path and query of the page, to come back to
/// @param host by which this registry is known
/// @param baseUrl where it is, without a slash at its end
public record Frame(
        String title,
        String section,
        String search,
        Viewer viewer,
        String formToken,
        String theme,
        String here,
        String host,
        String baseUrl,
        List<Notice> notices,
        Machine machine,
        StaticFiles files) {
    public Frame {
        notices = List.copyOf(notices);
    }

    /// Whether it is the page that lists what is found, which changes while one types.
    public boolean isSearch() {
        return here.equals("/") || here.startsWith("/?");
    }

    /// A symbol of the sprite.
    public String icon(String name) {
        return files.path("icons.svg") + "#" + name;
    }

    /// Where to sign in, and come back.
    public String signIn() {
        return ApiPath.of("/login").with("next", here).toString();
    }
}
