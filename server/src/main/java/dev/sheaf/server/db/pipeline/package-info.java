/// Statements on PostgreSQL that share a round trip.
@NullMarked
package dev.sheaf.server.db.pipeline;

import org.jspecify.annotations.NullMarked;
