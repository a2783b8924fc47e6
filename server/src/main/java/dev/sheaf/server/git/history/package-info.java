/// Versions as git commits, derived once and stored in rows.
@NullMarked
package dev.sheaf.server.git.history;

import org.jspecify.annotations.NullMarked;
