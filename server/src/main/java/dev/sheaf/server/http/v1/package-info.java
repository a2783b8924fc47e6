/// The JSON API.
@NullMarked
package dev.sheaf.server.http.v1;

import org.jspecify.annotations.NullMarked;
