/// What pages about work, webhooks and events share.
@NullMarked
package dev.sheaf.server.console.work;

import org.jspecify.annotations.NullMarked;
