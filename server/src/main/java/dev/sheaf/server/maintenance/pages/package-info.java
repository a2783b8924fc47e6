/// The installation, for its own administrators.
@NullMarked
package dev.sheaf.server.maintenance.pages;

import org.jspecify.annotations.NullMarked;
