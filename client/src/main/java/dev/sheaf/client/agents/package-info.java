/// Installs bundles for programs for agents: the known programs and their folders, what a project wants, and what
/// was installed.
@NullMarked
package dev.sheaf.client.agents;

import org.jspecify.annotations.NullMarked;
