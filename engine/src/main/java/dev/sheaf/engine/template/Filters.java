package dev.sheaf.engine.template;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// All filters by name.
final class Filters {
    private static final Map<String, FilterSpec> ALL = all();

    private Filters() {}

    private static Map<String, FilterSpec> all() {
        var filters = new HashMap<String, FilterSpec>();
        TextFilters.addTo(filters);
        HtmlFilters.addTo(filters);
        NumberFilters.addTo(filters);
        ListFilters.addTo(filters);
        filters.put("date", new FilterSpec(1, 1, DateFilter::date));
        filters.put("default", new FilterSpec(0, 1, Filters::orElse));
        return Map.copyOf(filters);
    }

    static Set<String> names() {
        return ALL.keySet();
    }

    private static @Nullable Object orElse(Filter.Given given) {
        boolean isMissing = given.named("allow_false") ? given.value() == null : !TemplateValues.isTrue(given.value());
        if (isMissing || TemplateValues.isEmpty(given.value(), false)) {
            return given.has(0) ? given.argument(0) : "";
        }
        return given.value();
    }

    /// @throws TemplateException if the filter does not exist or takes other arguments
    static Expression.Call call(
            String name, List<Expression> arguments, Map<String, Expression> named, TagWords words) {
        var spec = ALL.get(name);
        if (spec == null) {
            throw words.failure("unknown filter \"" + TagWords.shorten(name) + '"');
        }
        if (arguments.size() < spec.least() || arguments.size() > spec.most()) {
            throw words.failure("the filter " + name + " takes "
                    + (spec.least() == spec.most() ? "" : spec.least() + " to ")
                    + (spec.most() == 1 ? "1 argument" : spec.most() + " arguments") + ", but has "
                    + arguments.size());
        }
        for (String key : named.keySet()) {
            if (!name.equals("default") || !key.equals("allow_false")) {
                throw words.failure(
                        "the filter " + name + " does not take the argument \"" + TagWords.shorten(key) + '"');
            }
        }
        return new Expression.Call(name, spec.filter(), List.copyOf(arguments), Map.copyOf(named));
    }
}
