/// API keys: made, found, changed, and what happens when they end or leak.
@NullMarked
package dev.sheaf.server.org.key;

import org.jspecify.annotations.NullMarked;
