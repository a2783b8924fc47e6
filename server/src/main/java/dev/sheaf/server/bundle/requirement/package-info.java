/// The bundles that versions need: their rows, their rules at publish, and how they are resolved together.
@NullMarked
package dev.sheaf.server.bundle.requirement;

import org.jspecify.annotations.NullMarked;
