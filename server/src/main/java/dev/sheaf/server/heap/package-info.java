/// How the heap of the process is divided among its caches, the requests in progress and heavy work.
@NullMarked
package dev.sheaf.server.heap;

import org.jspecify.annotations.NullMarked;
