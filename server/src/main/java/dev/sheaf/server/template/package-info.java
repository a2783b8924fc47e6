/// Liquid templates that strangers write: read in one pass, rendered from JSON values within bounds of time and memory.
@NullMarked
package dev.sheaf.server.template;

import org.jspecify.annotations.NullMarked;
