/// Asks scanners of others about pushes that wait.
@NullMarked
package dev.sheaf.server.scan;

import org.jspecify.annotations.NullMarked;
