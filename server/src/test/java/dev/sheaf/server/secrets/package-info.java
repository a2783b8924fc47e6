/// No secret gets anywhere but where it belongs.
@NullMarked
package dev.sheaf.server.secrets;

import org.jspecify.annotations.NullMarked;
