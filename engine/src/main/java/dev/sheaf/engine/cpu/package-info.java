/// Work that keeps a processor busy: a small pool of threads that callers share in turns, and a limit for each
/// task.
@NullMarked
package dev.sheaf.engine.cpu;

import org.jspecify.annotations.NullMarked;
