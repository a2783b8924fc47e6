/// People: accounts, passwords, sessions, and what signs them in.
@NullMarked
package dev.sheaf.server.identity;

import org.jspecify.annotations.NullMarked;
