/// The page about the use of an organization's bundles.
@NullMarked
package dev.sheaf.server.org.pages.use;

import org.jspecify.annotations.NullMarked;
