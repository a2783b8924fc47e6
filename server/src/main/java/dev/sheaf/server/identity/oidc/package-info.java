/// Sign-in with an OpenID provider.
@NullMarked
package dev.sheaf.server.identity.oidc;

import org.jspecify.annotations.NullMarked;
