/// The API of webhooks.
@NullMarked
package dev.sheaf.server.webhook.api;

import org.jspecify.annotations.NullMarked;
