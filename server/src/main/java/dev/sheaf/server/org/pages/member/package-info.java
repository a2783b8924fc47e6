/// The pages of an organization's members and invitations.
@NullMarked
package dev.sheaf.server.org.pages.member;

import org.jspecify.annotations.NullMarked;
