/// Shared parts of the pages about work, webhooks and events.
@NullMarked
package dev.sheaf.server.console.work;

import org.jspecify.annotations.NullMarked;
