/// Webhooks and their deliveries.
@NullMarked
package dev.sheaf.server.webhook.pages;

import org.jspecify.annotations.NullMarked;
