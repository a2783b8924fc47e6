/// Bundles for git, read only: smart HTTP, versions 0 and 2 of its protocol.
@NullMarked
package dev.sheaf.server.git;

import org.jspecify.annotations.NullMarked;
