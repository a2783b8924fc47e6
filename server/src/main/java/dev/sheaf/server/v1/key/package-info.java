/// The API of keys, trusted publishers and leaked credentials.
@NullMarked
package dev.sheaf.server.v1.key;

import org.jspecify.annotations.NullMarked;
