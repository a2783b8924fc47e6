/// The API for people's own accounts, and the pages where they sign in.
@NullMarked
package dev.sheaf.server.v1.account;

import org.jspecify.annotations.NullMarked;
