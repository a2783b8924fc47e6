/// The API of keys, trusted publishers and leaked credentials.
@NullMarked
package dev.sheaf.server.org.api;

import org.jspecify.annotations.NullMarked;
