/// Commands for operators of a server, and for this machine.
@NullMarked
package dev.sheaf.cli.admin;

import org.jspecify.annotations.NullMarked;
