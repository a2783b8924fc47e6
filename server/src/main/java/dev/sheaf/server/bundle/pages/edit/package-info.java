/// Changing bundles: description, visibility, working files, publishing, and new bundles.
@NullMarked
package dev.sheaf.server.bundle.pages.edit;

import org.jspecify.annotations.NullMarked;
