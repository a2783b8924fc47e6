/// Yanks, deprecates and deletes versions, and deletes and restores bundles.
@NullMarked
package dev.sheaf.server.bundle.pages.withdraw;

import org.jspecify.annotations.NullMarked;
