@NullMarked
package dev.sheaf.engine.trace;

import org.jspecify.annotations.NullMarked;
