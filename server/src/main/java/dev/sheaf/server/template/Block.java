package dev.sheaf.server.template;

import java.util.List;

/// A sequence of parts.
///
/// @param isBlank whether it can output nothing but spaces
record Block(List<Node> nodes, boolean isBlank) {
    static Block of(List<Node> nodes) {
        return new Block(List.copyOf(nodes), nodes.stream().allMatch(Node::isBlank));
    }

    void render(Rendering to) {
        for (var node : nodes) {
            node.render(to);
            if (to.jump() != Rendering.Jump.NONE) {
                return;
            }
        }
    }

    Block withoutTexts() {
        return of(nodes.stream().filter(node -> !(node instanceof Node.Text)).toList());
    }
}
