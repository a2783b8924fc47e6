/// JSON of webhooks and what they delivered.
@NullMarked
package dev.sheaf.model.wire.webhook;

import org.jspecify.annotations.NullMarked;
