/// Commands that install skills, agents and MCP servers into the folders of agent programs.
@NullMarked
package dev.sheaf.cli.install;

import org.jspecify.annotations.NullMarked;
