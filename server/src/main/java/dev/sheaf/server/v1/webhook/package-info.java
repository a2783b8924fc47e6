/// The API of webhooks.
@NullMarked
package dev.sheaf.server.v1.webhook;

import org.jspecify.annotations.NullMarked;
