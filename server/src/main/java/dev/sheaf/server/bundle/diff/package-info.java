/// The difference between two versions.
@NullMarked
package dev.sheaf.server.bundle.diff;

import org.jspecify.annotations.NullMarked;
