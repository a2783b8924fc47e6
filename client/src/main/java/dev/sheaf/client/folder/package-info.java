/// The folder that a bundle is written to.
@NullMarked
package dev.sheaf.client.folder;

import org.jspecify.annotations.NullMarked;
