/// Publishes files as versions.
@NullMarked
package dev.sheaf.client.push;

import org.jspecify.annotations.NullMarked;
