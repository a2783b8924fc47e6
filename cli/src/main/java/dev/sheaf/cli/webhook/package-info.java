/// The commands of `sheaf webhooks`.
@NullMarked
package dev.sheaf.cli.webhook;

import org.jspecify.annotations.NullMarked;
