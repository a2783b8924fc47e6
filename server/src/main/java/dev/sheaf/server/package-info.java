/// The program: [Main] reads the command line, [App] is a running node.
@NullMarked
package dev.sheaf.server;

import org.jspecify.annotations.NullMarked;
