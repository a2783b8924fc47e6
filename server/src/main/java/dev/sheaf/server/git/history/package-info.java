/// Versions as git commits, derived into a repository.
@NullMarked
package dev.sheaf.server.git.history;

import org.jspecify.annotations.NullMarked;
