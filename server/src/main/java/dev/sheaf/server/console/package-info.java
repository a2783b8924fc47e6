/// The console: the pages for browsers. Pages call the same features as the API, with the same commands, on behalf
/// of their reader, so that only features make decisions. Templates (jte) are in the packages of their handlers.
@NullMarked
package dev.sheaf.server.console;

import org.jspecify.annotations.NullMarked;
