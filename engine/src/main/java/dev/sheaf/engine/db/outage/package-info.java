/// What the log says about failures of the database: their cause in one line, and how long an outage lasted.
@NullMarked
package dev.sheaf.engine.db.outage;

import org.jspecify.annotations.NullMarked;
