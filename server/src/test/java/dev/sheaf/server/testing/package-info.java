/// What tests share: fresh databases, and the smallest rows that others hang on.
@NullMarked
package dev.sheaf.server.testing;

import org.jspecify.annotations.NullMarked;
