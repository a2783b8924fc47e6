/// The program: [Main] reads the command line, [App] is a node that runs.
@NullMarked
package dev.sheaf.server;

import org.jspecify.annotations.NullMarked;
