/// What organizations hold, and the most they may.
@NullMarked
package dev.sheaf.server.org.quota;

import org.jspecify.annotations.NullMarked;
