/// The page from which people get the command line, its downloads, and the script that installs it.
@NullMarked
package dev.sheaf.server.client.pages;

import org.jspecify.annotations.NullMarked;
