/// Published versions: resolved, yanked, deprecated, deleted.
@NullMarked
package dev.sheaf.server.bundle.version;

import org.jspecify.annotations.NullMarked;
