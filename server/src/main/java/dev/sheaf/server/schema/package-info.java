/// The schema of the database: its migrations, and the program's part in them.
@NullMarked
package dev.sheaf.server.schema;

import org.jspecify.annotations.NullMarked;
