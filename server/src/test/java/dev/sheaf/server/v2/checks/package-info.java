/// The checks of a conformance run, by clients of every kind.
@NullMarked
package dev.sheaf.server.v2.checks;

import org.jspecify.annotations.NullMarked;
