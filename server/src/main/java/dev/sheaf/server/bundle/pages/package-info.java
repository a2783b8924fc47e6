/// The pages of a bundle and its tags.
@NullMarked
package dev.sheaf.server.bundle.pages;

import org.jspecify.annotations.NullMarked;
