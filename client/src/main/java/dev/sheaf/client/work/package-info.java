/// Workers: programs that process the jobs of a queue.
@NullMarked
package dev.sheaf.client.work;

import org.jspecify.annotations.NullMarked;
