/// API keys: their format, their scopes, and the search for leaked secrets.
@NullMarked
package dev.sheaf.model.key;

import org.jspecify.annotations.NullMarked;
