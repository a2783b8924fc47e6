/// Ed25519 keys, and how they are published.
@NullMarked
package dev.sheaf.server.auth.jwk;

import org.jspecify.annotations.NullMarked;
