/// How the heap of the process is divided.
@NullMarked
package dev.sheaf.engine.heap;

import org.jspecify.annotations.NullMarked;
