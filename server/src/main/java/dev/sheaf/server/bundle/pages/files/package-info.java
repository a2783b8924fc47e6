/// The files of a version: the list, their contents, and their bytes.
@NullMarked
package dev.sheaf.server.bundle.pages.files;

import org.jspecify.annotations.NullMarked;
