/// Exchange, revocation and introspection of access tokens.
@NullMarked
package dev.sheaf.server.identity.token;

import org.jspecify.annotations.NullMarked;
