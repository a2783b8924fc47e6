/// What comes in as JSON or as a form, read member by member into the commands of features.
@NullMarked
package dev.sheaf.server.input;

import org.jspecify.annotations.NullMarked;
