package dev.sheaf.server.hub;

import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/// Writes an XML document and escapes its text. Characters that XML cannot represent, such as control
/// characters, are dropped.
final class XmlWriter {
    private final StringWriter text = new StringWriter();
    private final XMLStreamWriter writer;

    /// @param namespace the namespace of all elements
    XmlWriter(String root, String namespace) {
        try {
            this.writer = XMLOutputFactory.newFactory().createXMLStreamWriter(text);
        } catch (XMLStreamException e) {
            throw inMemory(e);
        }
        write(() -> {
            writer.writeStartDocument("UTF-8", "1.0");
            writer.writeStartElement(root);
            writer.writeDefaultNamespace(namespace);
        });
    }

    private interface Step {
        void write() throws XMLStreamException;
    }

    private XmlWriter write(Step step) {
        try {
            step.write();
            return this;
        } catch (XMLStreamException e) {
            throw inMemory(e);
        }
    }

    /// Begins an element, with its attributes as name, value, name, value...
    XmlWriter start(String name, String... attributes) {
        return write(() -> writer.writeStartElement(name)).with(attributes);
    }

    /// Adds attributes to the element that was just begun.
    XmlWriter with(String... attributes) {
        for (int i = 0; i < attributes.length; i += 2) {
            String name = attributes[i];
            String value = clean(attributes[i + 1]);
            write(() -> writer.writeAttribute(name, value));
        }
        return this;
    }

    /// Writes an element that contains only text.
    XmlWriter leaf(String name, String content, String... attributes) {
        return start(name, attributes)
                .write(() -> writer.writeCharacters(clean(content)))
                .end();
    }

    XmlWriter end() {
        return write(writer::writeEndElement);
    }

    /// Returns the finished document in UTF-8.
    byte[] bytes() {
        write(writer::writeEndDocument);
        write(writer::close);
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /// Keeps only the characters of XML 1.0, section 2.2.
    private static String clean(String content) {
        var clean = new StringBuilder(content.length());
        content.codePoints()
                .filter(c -> c == '\t'
                        || c == '\n'
                        || c == '\r'
                        || (c >= 0x20 && c <= 0xD7FF)
                        || (c >= 0xE000 && c <= 0xFFFD)
                        || c >= 0x10000)
                .forEach(clean::appendCodePoint);
        return clean.toString();
    }

    private static IllegalStateException inMemory(XMLStreamException e) {
        return new IllegalStateException("writing to memory does not fail", e);
    }
}
