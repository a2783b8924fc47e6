/// A bundle's folder as its author keeps it: `sheaf.yaml`, which files belong to it, and what is wrong with them.
@NullMarked
package dev.sheaf.client.bundle;

import org.jspecify.annotations.NullMarked;
