/// Webhooks: the events of an organization, sent to where it wants them. What was not tried yet has no row, so
/// a backlog costs nothing; a [Courier] reads on in the feed from where its webhook is.
@NullMarked
package dev.sheaf.server.webhook;

import org.jspecify.annotations.NullMarked;
