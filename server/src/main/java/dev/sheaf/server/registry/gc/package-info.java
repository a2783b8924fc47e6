/// Removes content that nothing needs any more, and keeps it until then.
@NullMarked
package dev.sheaf.server.registry.gc;

import org.jspecify.annotations.NullMarked;
