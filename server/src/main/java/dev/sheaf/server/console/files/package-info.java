/// The files of a version: which there are, what is in them, and their bytes.
@NullMarked
package dev.sheaf.server.console.files;

import org.jspecify.annotations.NullMarked;
