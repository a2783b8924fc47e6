/// What may be wrong with content.
@NullMarked
package dev.sheaf.server.bundle.check;

import org.jspecify.annotations.NullMarked;
