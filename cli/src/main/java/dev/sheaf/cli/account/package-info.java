/// Commands about people, organizations and their keys.
@NullMarked
package dev.sheaf.cli.account;

import org.jspecify.annotations.NullMarked;
