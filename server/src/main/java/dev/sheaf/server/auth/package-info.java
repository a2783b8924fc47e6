/// Who is asking, and what they may see and do: callers, credentials, tokens, and the one access rule.
@NullMarked
package dev.sheaf.server.auth;

import org.jspecify.annotations.NullMarked;
