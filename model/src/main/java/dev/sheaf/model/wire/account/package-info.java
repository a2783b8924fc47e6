/// JSON of people and their sessions.
@NullMarked
package dev.sheaf.model.wire.account;

import org.jspecify.annotations.NullMarked;
