/// Shows text from users: highlighted, with hidden characters made visible and secrets covered, and cut to the
/// room on a page.
@NullMarked
package dev.sheaf.server.bundle.pages.source;

import org.jspecify.annotations.NullMarked;
