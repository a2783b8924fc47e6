/// Access tokens by OAuth 2.
@NullMarked
package dev.sheaf.server.oauth;

import org.jspecify.annotations.NullMarked;
