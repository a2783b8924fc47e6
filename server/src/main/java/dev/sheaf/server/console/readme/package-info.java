/// Writing the README of a bundle.
@NullMarked
package dev.sheaf.server.console.readme;

import org.jspecify.annotations.NullMarked;
