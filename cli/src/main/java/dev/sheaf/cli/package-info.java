/// The command `sheaf`: picocli commands over [dev.sheaf.client.SheafClient], nothing else. Data goes to standard
/// output, everything else to standard error.
@NullMarked
package dev.sheaf.cli;

import org.jspecify.annotations.NullMarked;
