/// The API for people's own accounts, and the pages where they sign in.
@NullMarked
package dev.sheaf.server.identity.api;

import org.jspecify.annotations.NullMarked;
