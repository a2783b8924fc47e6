/// The files of a version: the list, their contents, and their bytes.
@NullMarked
package dev.sheaf.server.console.files;

import org.jspecify.annotations.NullMarked;
