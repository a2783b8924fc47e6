/// OpenID providers: their keys, the tokens they sign, and sign-in by them.
@NullMarked
package dev.sheaf.server.auth.oidc;

import org.jspecify.annotations.NullMarked;
