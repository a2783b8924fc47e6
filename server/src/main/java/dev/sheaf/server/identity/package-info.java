/// People: accounts, passwords, sessions, and what signs them in; and what else gives access tokens out.
@NullMarked
package dev.sheaf.server.identity;

import org.jspecify.annotations.NullMarked;
