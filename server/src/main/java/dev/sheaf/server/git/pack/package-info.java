/// Histories as JGit sees them, and the packs that are sent of them.
@NullMarked
package dev.sheaf.server.git.pack;

import org.jspecify.annotations.NullMarked;
