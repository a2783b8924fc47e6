/// The search of ARD (Agentic Resource Discovery) over the entries of the AI Catalog.
@NullMarked
package dev.sheaf.server.ard;

import org.jspecify.annotations.NullMarked;
