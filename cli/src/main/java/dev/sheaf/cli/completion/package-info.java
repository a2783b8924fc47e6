/// Shell completion: scripts generated from the commands, and names that these scripts get from the registry.
@NullMarked
package dev.sheaf.cli.completion;

import org.jspecify.annotations.NullMarked;
