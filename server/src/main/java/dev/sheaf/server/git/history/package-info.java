/// Versions as commits: what git is given of a bundle, derived once and kept in rows.
@NullMarked
package dev.sheaf.server.git.history;

import org.jspecify.annotations.NullMarked;
