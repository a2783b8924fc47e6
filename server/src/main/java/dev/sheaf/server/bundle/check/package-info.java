/// Warnings about content.
@NullMarked
package dev.sheaf.server.bundle.check;

import org.jspecify.annotations.NullMarked;
