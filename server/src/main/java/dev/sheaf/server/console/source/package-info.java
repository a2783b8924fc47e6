/// Text that strangers wrote, drawn for people: highlighted, with hidden characters to be seen and secrets covered,
/// and never more of it than a page may hold.
@NullMarked
package dev.sheaf.server.console.source;

import org.jspecify.annotations.NullMarked;
