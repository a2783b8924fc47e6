/// Access tokens that are exchanged, revoked and looked into.
@NullMarked
package dev.sheaf.server.identity.token;

import org.jspecify.annotations.NullMarked;
