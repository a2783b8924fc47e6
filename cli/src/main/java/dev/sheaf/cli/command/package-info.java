/// Code that all commands share.
@NullMarked
package dev.sheaf.cli.command;

import org.jspecify.annotations.NullMarked;
