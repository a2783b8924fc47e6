/// The database: connections, transactions, retry, dialect, migrations. The only package that knows JDBI beside the
/// classes named `…Rows`.
@NullMarked
package dev.sheaf.server.db;

import org.jspecify.annotations.NullMarked;
