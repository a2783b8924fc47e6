/// Reads JSON and forms member by member into the commands of features.
@NullMarked
package dev.sheaf.server.input;

import org.jspecify.annotations.NullMarked;
