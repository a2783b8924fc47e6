/// From a reference to verified files.
@NullMarked
package dev.sheaf.client.pull;

import org.jspecify.annotations.NullMarked;
