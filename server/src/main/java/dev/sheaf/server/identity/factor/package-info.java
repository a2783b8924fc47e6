/// The second factor: authenticators and recovery codes.
@NullMarked
package dev.sheaf.server.identity.factor;

import org.jspecify.annotations.NullMarked;
