/// Writes bundles to a folder.
@NullMarked
package dev.sheaf.client.folder;

import org.jspecify.annotations.NullMarked;
