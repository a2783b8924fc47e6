/// The console: what people look at in a browser. Pages ask the API within the process, for whoever they are shown to,
/// so
/// that nothing is decided twice; templates (jte) lie beside their handlers.
@NullMarked
package dev.sheaf.server.console;

import org.jspecify.annotations.NullMarked;
