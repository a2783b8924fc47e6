/// The checks of a conformance run, by clients of every kind.
@NullMarked
package dev.sheaf.server.registry.api.checks;

import org.jspecify.annotations.NullMarked;
