@NullMarked
package dev.sheaf.server.task;

import org.jspecify.annotations.NullMarked;
