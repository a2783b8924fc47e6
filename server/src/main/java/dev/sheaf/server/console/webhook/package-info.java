/// Webhooks, and what they were sent.
@NullMarked
package dev.sheaf.server.console.webhook;

import org.jspecify.annotations.NullMarked;
