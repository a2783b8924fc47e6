/// The editor of a bundle's README.
@NullMarked
package dev.sheaf.server.console.readme;

import org.jspecify.annotations.NullMarked;
