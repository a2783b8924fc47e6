/// The program: [Main] reads the command line, [Config] the settings, [App] wires everything by hand.
@NullMarked
package dev.sheaf.server;

import org.jspecify.annotations.NullMarked;
