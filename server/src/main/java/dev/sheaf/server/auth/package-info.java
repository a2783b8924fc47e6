/// Authentication and authorization: callers, credentials, tokens, and the single access rule.
@NullMarked
package dev.sheaf.server.auth;

import org.jspecify.annotations.NullMarked;
