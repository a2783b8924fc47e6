/// The console: the pages for browsers. Pages call the API within the process on behalf of their reader, so
/// that only the API makes decisions. Templates (jte) are in the packages of their handlers.
@NullMarked
package dev.sheaf.server.console;

import org.jspecify.annotations.NullMarked;
