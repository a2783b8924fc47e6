@NullMarked
package dev.sheaf.server.git.history;

import org.jspecify.annotations.NullMarked;
