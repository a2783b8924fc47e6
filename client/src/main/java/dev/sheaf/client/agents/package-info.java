/// What is installed in the folders of programs for agents: which programs there are and where they look, what a
/// project wants of which bundles, and what has become of that.
@NullMarked
package dev.sheaf.client.agents;

import org.jspecify.annotations.NullMarked;
