/// Who may do what, on every route of the table.
@NullMarked
package dev.sheaf.server.access;

import org.jspecify.annotations.NullMarked;
