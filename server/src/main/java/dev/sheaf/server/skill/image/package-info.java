/// Versions and skills as OCI images and as artifacts of skills, made when somebody asks for them.
@NullMarked
package dev.sheaf.server.skill.image;

import org.jspecify.annotations.NullMarked;
