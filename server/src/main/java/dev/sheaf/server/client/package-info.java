/// The command line that this server hands out: its own files, as archives.
@NullMarked
package dev.sheaf.server.client;

import org.jspecify.annotations.NullMarked;
