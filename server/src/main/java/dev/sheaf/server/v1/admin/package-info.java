/// The API of administrators, the audit log, and the limits.
@NullMarked
package dev.sheaf.server.v1.admin;

import org.jspecify.annotations.NullMarked;
