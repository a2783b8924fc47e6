/// Java values as columns, records as rows.
@NullMarked
package dev.sheaf.server.db.mapping;

import org.jspecify.annotations.NullMarked;
