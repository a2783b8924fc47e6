/// The first page of a bundle.
@NullMarked
package dev.sheaf.server.bundle.pages.overview;

import org.jspecify.annotations.NullMarked;
