/// Java values as columns, records as rows.
@NullMarked
package dev.sheaf.engine.db.mapping;

import org.jspecify.annotations.NullMarked;
