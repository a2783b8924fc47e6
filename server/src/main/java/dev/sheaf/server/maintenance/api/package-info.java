/// The API of administrators, the audit log, and the limits.
@NullMarked
package dev.sheaf.server.maintenance.api;

import org.jspecify.annotations.NullMarked;
