package dev.sheaf.server.hub;

import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/// A document as it is written, through a writer that escapes. Text may hold anything: what XML cannot carry, such
/// as control characters, is left out.
final class Xml {
    private final StringWriter text = new StringWriter();
    private final XMLStreamWriter writer;

    /// @param namespace of all elements
    Xml(String root, String namespace) {
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

    private Xml write(Step step) {
        try {
            step.write();
            return this;
        } catch (XMLStreamException e) {
            throw inMemory(e);
        }
    }

    /// Begins an element, with its attributes as name, value, name, value...
    Xml start(String name, String... attributes) {
        return write(() -> writer.writeStartElement(name)).with(attributes);
    }

    /// Gives the element that was just begun more attributes.
    Xml with(String... attributes) {
        for (int i = 0; i < attributes.length; i += 2) {
            String name = attributes[i];
            String value = clean(attributes[i + 1]);
            write(() -> writer.writeAttribute(name, value));
        }
        return this;
    }

    /// An element that holds text only.
    Xml leaf(String name, String content, String... attributes) {
        return start(name, attributes)
                .write(() -> writer.writeCharacters(clean(content)))
                .end();
    }

    Xml end() {
        return write(writer::writeEndElement);
    }

    /// The finished document in UTF-8.
    byte[] bytes() {
        write(writer::writeEndDocument);
        write(writer::close);
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /// Only the characters of XML 1.0, section 2.2.
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
