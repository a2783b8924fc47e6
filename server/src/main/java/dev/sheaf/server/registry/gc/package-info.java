/// What removes content that nothing needs any more, and what keeps it until then.
@NullMarked
package dev.sheaf.server.registry.gc;

import org.jspecify.annotations.NullMarked;
