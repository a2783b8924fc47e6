/// Long work that runs alongside requests: work that one node at a time does ([Worker]), tasks and their
/// reports, and recurring tasks.
@NullMarked
package dev.sheaf.engine.work;

import org.jspecify.annotations.NullMarked;
