/// Code that all commands share: [dev.sheaf.cli.command.CliCommand] and [dev.sheaf.cli.command.ResourceCommand] are
/// their shape.
@NullMarked
package dev.sheaf.cli.command;

import org.jspecify.annotations.NullMarked;
