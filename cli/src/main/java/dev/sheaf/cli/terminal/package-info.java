/// Output for people: text, tables, progress, questions.
@NullMarked
package dev.sheaf.cli.terminal;

import org.jspecify.annotations.NullMarked;
