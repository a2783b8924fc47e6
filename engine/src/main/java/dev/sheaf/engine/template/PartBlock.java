package dev.sheaf.engine.template;

import java.util.List;

/// A sequence of parts.
///
/// @param isBlank whether it can output nothing but spaces
record PartBlock(List<TemplateNode> nodes, boolean isBlank) {
    static PartBlock of(List<TemplateNode> nodes) {
        return new PartBlock(List.copyOf(nodes), nodes.stream().allMatch(TemplateNode::isBlank));
    }

    void render(Rendering to) {
        for (var node : nodes) {
            node.render(to);
            if (to.jump() != Rendering.Jump.NONE) {
                return;
            }
        }
    }

    PartBlock withoutTexts() {
        return of(nodes.stream()
                .filter(node -> !(node instanceof TemplateNode.Text))
                .toList());
    }
}
