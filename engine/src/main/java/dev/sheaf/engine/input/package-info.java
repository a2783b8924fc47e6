/// Reads JSON and forms member by member into the commands of features.
@NullMarked
package dev.sheaf.engine.input;

import org.jspecify.annotations.NullMarked;
