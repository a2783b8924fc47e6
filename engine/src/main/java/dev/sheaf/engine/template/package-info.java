/// Liquid templates that strangers write: parsed in one pass, and rendered from JSON values within limits of
/// time and memory.
@NullMarked
package dev.sheaf.engine.template;

import org.jspecify.annotations.NullMarked;
