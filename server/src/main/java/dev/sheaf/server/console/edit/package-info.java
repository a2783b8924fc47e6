/// Changing bundles: what they say of themselves, who sees them, their working files, publishing, and making new ones.
@NullMarked
package dev.sheaf.server.console.edit;

import org.jspecify.annotations.NullMarked;
