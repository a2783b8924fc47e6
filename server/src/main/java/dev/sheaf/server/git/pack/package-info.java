/// Histories as JGit repositories, and the packs sent from them.
@NullMarked
package dev.sheaf.server.git.pack;

import org.jspecify.annotations.NullMarked;
