/// Backup of an installation, and restore into a new one.
@NullMarked
package dev.sheaf.server.maintenance.backup;

import org.jspecify.annotations.NullMarked;
