/// Webhooks: they send the events of an organization to addresses of its choice. An event has no row before its
/// first attempt, so a backlog costs nothing: a [DeliveryRun] continues in the feed where its webhook left off.
@NullMarked
package dev.sheaf.server.webhook;

import org.jspecify.annotations.NullMarked;
