@NullMarked
package dev.sheaf.server.git;

import org.jspecify.annotations.NullMarked;
