/// Bundles for git, read only: smart HTTP, protocol versions 0 and 2.
@NullMarked
package dev.sheaf.server.git;

import org.jspecify.annotations.NullMarked;
