/// The AI Catalog: public bundles for agents that look for skills on the web. Everything here is derived from the hub,
/// so it is the same for every caller.
@NullMarked
package dev.sheaf.server.catalog;

import org.jspecify.annotations.NullMarked;
