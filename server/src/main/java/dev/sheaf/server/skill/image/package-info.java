/// Versions and skills as OCI images and artifacts, made on request.
@NullMarked
package dev.sheaf.server.skill.image;

import org.jspecify.annotations.NullMarked;
