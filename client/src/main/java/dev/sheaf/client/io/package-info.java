/// Files, locks between processes, JSON and YAML.
@NullMarked
package dev.sheaf.client.io;

import org.jspecify.annotations.NullMarked;
