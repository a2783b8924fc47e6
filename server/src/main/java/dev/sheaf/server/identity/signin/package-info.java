/// Ways to sign in: by password, by invitation, for devices; and accounts for administrators.
@NullMarked
package dev.sheaf.server.identity.signin;

import org.jspecify.annotations.NullMarked;
