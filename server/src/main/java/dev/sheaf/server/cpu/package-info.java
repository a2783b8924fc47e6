/// Work that keeps a processor busy: a few threads for all of it, taken in turns by callers, and an end to each piece.
@NullMarked
package dev.sheaf.server.cpu;

import org.jspecify.annotations.NullMarked;
