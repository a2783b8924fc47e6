/// Decisions on pushes that need approval.
@NullMarked
package dev.sheaf.server.bundle.decision;

import org.jspecify.annotations.NullMarked;
