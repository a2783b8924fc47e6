/// OpenID providers: their keys, the tokens that they sign, and sign-in with them.
@NullMarked
package dev.sheaf.server.auth.oidc;

import org.jspecify.annotations.NullMarked;
