/// Other programs and processes that tests start.
@NullMarked
package dev.sheaf.server.testing.program;

import org.jspecify.annotations.NullMarked;
