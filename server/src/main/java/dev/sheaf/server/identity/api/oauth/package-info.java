/// Access tokens by OAuth 2.
@NullMarked
package dev.sheaf.server.identity.api.oauth;

import org.jspecify.annotations.NullMarked;
