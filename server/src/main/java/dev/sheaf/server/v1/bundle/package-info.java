/// The API of bundles: push, resolve, pull, assets, tags, versions.
@NullMarked
package dev.sheaf.server.v1.bundle;

import org.jspecify.annotations.NullMarked;
