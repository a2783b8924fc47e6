/// A bundle's folder as its author has it: `sheaf.yaml`, its assets, and problems with them.
@NullMarked
package dev.sheaf.client.bundle;

import org.jspecify.annotations.NullMarked;
