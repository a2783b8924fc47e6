/// What shells complete: scripts made of the model of the commands, and the names that they ask the registry for.
@NullMarked
package dev.sheaf.cli.completion;

import org.jspecify.annotations.NullMarked;
