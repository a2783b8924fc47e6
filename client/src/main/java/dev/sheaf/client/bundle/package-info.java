/// An author's folder with a bundle: `sheaf.yaml`, the assets, and the checks of both.
@NullMarked
package dev.sheaf.client.bundle;

import org.jspecify.annotations.NullMarked;
