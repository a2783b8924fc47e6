/// Bundles and their versions: publish, resolve, pull.
@NullMarked
package dev.sheaf.server.bundle;

import org.jspecify.annotations.NullMarked;
