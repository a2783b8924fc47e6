/// The API of people's own accounts, and the pages at which they sign in.
@NullMarked
package dev.sheaf.server.v1.account;

import org.jspecify.annotations.NullMarked;
