/// The installation, for its own administrators.
@NullMarked
package dev.sheaf.server.console.admin;

import org.jspecify.annotations.NullMarked;
