/// The routes of the AI Catalog.
@NullMarked
package dev.sheaf.server.catalog.api;

import org.jspecify.annotations.NullMarked;
