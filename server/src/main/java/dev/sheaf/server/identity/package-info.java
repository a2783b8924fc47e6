/// People: accounts, passwords, sessions, sign-in, and other ways to get access tokens.
@NullMarked
package dev.sheaf.server.identity;

import org.jspecify.annotations.NullMarked;
