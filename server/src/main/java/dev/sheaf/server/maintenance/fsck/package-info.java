/// Checks that the stored data is consistent: rows agree with each other, with objects, and with the rules.
@NullMarked
package dev.sheaf.server.maintenance.fsck;

import org.jspecify.annotations.NullMarked;
