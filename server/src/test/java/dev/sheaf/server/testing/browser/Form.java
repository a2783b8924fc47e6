package dev.sheaf.server.testing.browser;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.PlaywrightException;
import com.microsoft.playwright.options.FilePayload;
import dev.sheaf.server.testing.Browser.Chosen;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// A form in the hands of a person.
final class Form {
    private static final int MOST_TABS = 500; // presses of the key
    private static final int MOST_FOLDS = 3; // one in the other
    private static final Pattern PLAIN = Pattern.compile("[^'\\\\\\p{Cntrl}]*"); // goes into a selector as it is
    private static final int TABS_AT_ONCE = 8;
    private static final String IS_HERE = "e => e === document.activeElement";
    private static final String STAY = """
            e => {
              window.stay = event => { if (event.key === 'Tab' && e === document.activeElement) event.preventDefault(); };
              document.addEventListener('keydown', window.stay, true);
            }""";
    private static final String GO_ON = """
            e => {
              document.removeEventListener('keydown', window.stay, true);
              return e === document.activeElement;
            }""";

    private final Page page;
    private final Hand hand;
    private final Locator form;

    /// A value that no person can type into the field.
    static final class NotPossible extends RuntimeException {
        NotPossible(String why) {
            super(why);
        }
    }

    Form(Page page, Hand hand, Locator form) {
        this.page = page;
        this.hand = hand;
        this.form = form;
        form.evaluate("e => { e.noValidate = true; }"); // what the server says is tested, not what the browser refuses
        reveal(page, hand, form);
    }

    /// Opens what is folded up around an element. Fails if it stays out of sight, since then nobody could use it.
    static void reveal(Page page, Hand hand, Locator what) {
        for (int i = 0; i < MOST_FOLDS && !what.isVisible(); i++) {
            var summary = what.locator("xpath=ancestor::details[not(@open)]")
                    .first()
                    .locator("summary")
                    .first();
            if (hand == Hand.KEYBOARD) {
                tabTo(page, summary);
                page.keyboard().press("Enter");
            } else {
                summary.click();
            }
        }
        if (!what.isVisible()) {
            throw new AssertionError("nobody sees " + what + " of " + page.url());
        }
    }

    static boolean canBeChosen(Chosen file) {
        return !file.name().contains("/")
                && !file.name().isBlank()
                && !file.field().equals("folder");
    }

    /// Presses Tab until the element has the focus, as far as all elements of a page can take it. Tab does nothing any
    /// more once it is there, so several can be pressed before the page is asked.
    static void tabTo(Page page, Locator what) {
        what.evaluate(STAY);
        for (int i = 0; i < MOST_TABS; i++) {
            if (i % TABS_AT_ONCE == 0 && (Boolean) what.evaluate(IS_HERE)) {
                break;
            }
            page.keyboard().press("Tab");
        }
        if (!(Boolean) what.evaluate(GO_ON)) {
            throw new AssertionError("the keyboard does not reach " + what + " of " + page.url());
        }
    }

    void choose(List<Chosen> files) {
        files.stream()
                .collect(Collectors.groupingBy(Chosen::field))
                .forEach((field, some) -> named(field)
                        .first()
                        .setInputFiles(some.stream()
                                .map(file -> new FilePayload(file.name(), "application/octet-stream", file.content()))
                                .toArray(FilePayload[]::new)));
    }

    private Locator named(String name) {
        return form.locator("[name='" + name + "']");
    }

    /// The button that sends the form: the one that is itself a value, or else the first.
    Locator button(Map<String, String> values) {
        for (var value : values.entrySet()) {
            if (!PLAIN.matcher(value.getValue()).matches()) {
                continue;
            }
            var one = form.locator("button[name='" + value.getKey() + "'][value='" + value.getValue() + "']");
            if (one.count() > 0) {
                return one.first();
            }
        }
        return form.locator("button:not([type=button]):not([formaction]), input[type=submit]")
                .first();
    }

    void fill(String name, String value) {
        var fields = named(name);
        boolean isPlain = PLAIN.matcher(value).matches();
        if (fields.count() == 0) {
            throw new NotPossible("no field " + name);
        }
        var field = fields.first();
        String kind = (String) field.evaluate("e => e.tagName === 'INPUT' ? e.type : e.tagName.toLowerCase()");
        switch (kind) {
            case "button" -> {}
            case "hidden", "file" -> throw new NotPossible(name + " is set by the page");
            case "select", "checkbox", "radio" -> {
                if (!isPlain) {
                    throw new NotPossible("no choice has such a value");
                }
                choose(kind, fields, value);
            }
            default -> type(field, kind, value);
        }
    }

    private void choose(String kind, Locator fields, String value) {
        switch (kind) {
            case "select" -> select(fields.first(), value);
            case "checkbox" -> tick(fields, value);
            default -> pick(fields, value);
        }
    }

    private void type(Locator field, String kind, String value) {
        reveal(page, hand, field);
        if ((!kind.equals("textarea") && value.contains("\n")) || value.contains("\r")) {
            throw new NotPossible("nobody can type it");
        }
        if (hand == Hand.KEYBOARD && !kind.startsWith("date")) { // whose parts are typed as each language has them
            tabTo(page, field);
            page.keyboard().press("Control+A");
            page.keyboard().press("Delete");
            page.keyboard().insertText(value);
        } else {
            try {
                field.fill(value);
            } catch (PlaywrightException e) {
                throw new NotPossible(String.valueOf(e.getMessage()));
            }
        }
        if (!field.inputValue().equals(value)) {
            throw new NotPossible("the field does not take it");
        }
    }

    private void select(Locator field, String value) {
        var option = field.locator("option[value='" + value + "']");
        if (option.count() == 0) {
            throw new NotPossible("no such choice: " + value);
        }
        reveal(page, hand, field);
        if (hand != Hand.KEYBOARD) {
            field.selectOption(value);
            return;
        }
        tabTo(page, field);
        page.keyboard().press("Home");
        for (int i = 0; i < MOST_TABS && !field.inputValue().equals(value); i++) {
            page.keyboard().press("ArrowDown");
        }
    }

    private void tick(Locator boxes, String value) {
        var box = boxes.locator("xpath=self::*[@value='" + value + "']");
        if (box.count() == 0) {
            throw new NotPossible("no box " + value);
        }
        if (box.first().isChecked()) {
            return;
        }
        press(box.first());
    }

    private void press(Locator box) {
        if (hand == Hand.KEYBOARD) {
            tabTo(page, box);
            page.keyboard().press("Space");
        } else {
            box.check();
        }
    }

    private void pick(Locator choices, String value) {
        var wanted = choices.locator("xpath=self::*[@value='" + value + "']");
        if (wanted.count() == 0) {
            throw new NotPossible("no choice " + value);
        }
        if (wanted.isChecked()) {
            return;
        }
        if (hand != Hand.KEYBOARD) {
            wanted.check();
            return;
        }
        var inGroup = "e => document.activeElement.name === e.name";
        for (int i = 0; i < MOST_TABS && !(Boolean) wanted.evaluate(inGroup); i++) {
            page.keyboard().press("Tab");
        }
        for (int i = 0; i < MOST_TABS && !wanted.isChecked(); i++) {
            page.keyboard().press("ArrowDown");
        }
    }
}
