/// The API of bundles: push, resolve, pull, assets, tags, versions.
@NullMarked
package dev.sheaf.server.bundle.api;

import org.jspecify.annotations.NullMarked;
