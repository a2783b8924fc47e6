package dev.sheaf.server.template;

import java.util.List;

/// Parts one after the other.
record Block(List<Node> nodes) {
    void render(Rendering to) {
        for (var node : nodes) {
            node.render(to);
            if (to.jump() != Rendering.Jump.NONE) {
                return;
            }
        }
    }

    /// Whether it can show nothing but spaces.
    boolean isBlank() {
        return nodes.stream().allMatch(Node::isBlank);
    }

    Block withoutTexts() {
        return new Block(
                nodes.stream().filter(node -> !(node instanceof Node.Text)).toList());
    }
}
