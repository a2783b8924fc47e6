/// The real program, as its operator starts it: killed, without disk, at other times.
@NullMarked
package dev.sheaf.server.program;

import org.jspecify.annotations.NullMarked;
