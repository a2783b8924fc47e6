/// JSON of bundles, their versions and tags.
@NullMarked
package dev.sheaf.model.wire.bundle;

import org.jspecify.annotations.NullMarked;
