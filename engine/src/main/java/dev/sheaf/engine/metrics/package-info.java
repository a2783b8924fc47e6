/// The metrics of a node, and their text formats.
@NullMarked
package dev.sheaf.engine.metrics;

import org.jspecify.annotations.NullMarked;
