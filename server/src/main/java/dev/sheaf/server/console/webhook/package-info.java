/// Webhooks and their deliveries.
@NullMarked
package dev.sheaf.server.console.webhook;

import org.jspecify.annotations.NullMarked;
