/// Turns references into verified files.
@NullMarked
package dev.sheaf.client.pull;

import org.jspecify.annotations.NullMarked;
