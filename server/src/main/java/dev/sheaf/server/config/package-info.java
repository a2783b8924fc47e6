/// The settings of a node, and the reasons why it cannot start.
@NullMarked
package dev.sheaf.server.config;

import org.jspecify.annotations.NullMarked;
