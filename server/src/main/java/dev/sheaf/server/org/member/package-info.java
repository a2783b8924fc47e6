/// Members of organizations, and invitations.
@NullMarked
package dev.sheaf.server.org.member;

import org.jspecify.annotations.NullMarked;
