@NullMarked
package dev.sheaf.server.trace;

import org.jspecify.annotations.NullMarked;
