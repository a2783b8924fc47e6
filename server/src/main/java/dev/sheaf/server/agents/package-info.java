/// Routes for agents and their tools: indexes of skills, their archives and files, and a search.
@NullMarked
package dev.sheaf.server.agents;

import org.jspecify.annotations.NullMarked;
