/// JSON of accounts and sessions.
@NullMarked
package dev.sheaf.model.wire.account;

import org.jspecify.annotations.NullMarked;
