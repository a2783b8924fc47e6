/// The database: connections, transactions, retry, dialect, migrations. The only package that uses JDBI, except
/// for the classes named `…Rows`.
@NullMarked
package dev.sheaf.engine.db;

import org.jspecify.annotations.NullMarked;
