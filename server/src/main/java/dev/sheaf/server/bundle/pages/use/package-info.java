/// The page about the use of a bundle.
@NullMarked
package dev.sheaf.server.bundle.pages.use;

import org.jspecify.annotations.NullMarked;
