/// The pages of an organization's members, and of those whom it invites.
@NullMarked
package dev.sheaf.server.console.org.member;

import org.jspecify.annotations.NullMarked;
