/// The editor of a bundle's README.
@NullMarked
package dev.sheaf.server.bundle.pages.readme;

import org.jspecify.annotations.NullMarked;
