/// A copy of an installation, and an installation made of a copy.
@NullMarked
package dev.sheaf.server.maintenance.backup;

import org.jspecify.annotations.NullMarked;
