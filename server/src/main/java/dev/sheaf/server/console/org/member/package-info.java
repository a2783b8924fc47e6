/// The pages of an organization's members and invitations.
@NullMarked
package dev.sheaf.server.console.org.member;

import org.jspecify.annotations.NullMarked;
