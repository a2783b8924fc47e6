/// Statements on PostgreSQL that share a round trip.
@NullMarked
package dev.sheaf.engine.db.pipeline;

import org.jspecify.annotations.NullMarked;
