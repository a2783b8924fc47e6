/// Whether an installation is sound: rows agree with rows, with objects, and with the rules.
@NullMarked
package dev.sheaf.server.maintenance.fsck;

import org.jspecify.annotations.NullMarked;
