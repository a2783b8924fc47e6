/// Ed25519 keys, and the form in which they are published.
@NullMarked
package dev.sheaf.server.auth.jwk;

import org.jspecify.annotations.NullMarked;
