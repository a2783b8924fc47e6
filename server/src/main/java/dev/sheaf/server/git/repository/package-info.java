/// Bare repositories in a cache on this node's disk.
@NullMarked
package dev.sheaf.server.git.repository;

import org.jspecify.annotations.NullMarked;
