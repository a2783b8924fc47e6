/// The metrics of a node, and their text formats.
@NullMarked
package dev.sheaf.server.metrics;

import org.jspecify.annotations.NullMarked;
