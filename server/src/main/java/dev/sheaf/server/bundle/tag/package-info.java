/// Tags of bundles.
@NullMarked
package dev.sheaf.server.bundle.tag;

import org.jspecify.annotations.NullMarked;
