/// JSON of webhooks and their deliveries.
@NullMarked
package dev.sheaf.model.wire.webhook;

import org.jspecify.annotations.NullMarked;
