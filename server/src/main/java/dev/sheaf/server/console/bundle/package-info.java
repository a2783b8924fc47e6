/// The pages of a bundle and its tags.
@NullMarked
package dev.sheaf.server.console.bundle;

import org.jspecify.annotations.NullMarked;
