/// What a node counts of itself, and how that is written for whoever watches it.
@NullMarked
package dev.sheaf.server.metrics;

import org.jspecify.annotations.NullMarked;
