/// Skills and the like in the folders of programs for agents.
@NullMarked
package dev.sheaf.cli.install;

import org.jspecify.annotations.NullMarked;
