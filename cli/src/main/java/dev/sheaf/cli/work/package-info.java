/// `sheaf work`: runs a command for each job of a queue.
@NullMarked
package dev.sheaf.cli.work;

import org.jspecify.annotations.NullMarked;
