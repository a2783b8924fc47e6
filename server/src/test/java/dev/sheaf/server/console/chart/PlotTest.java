package dev.sheaf.server.console.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sheaf.server.console.chart.Plot.Spot;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlotTest {
    @ParameterizedTest
    @CsvSource({"0,1", "0.3,0.4", "1,1", "3,4", "4.1,5", "7,10", "960,1000", "1001,2000", "12345,20000"})
    void theAxisEndsAtARoundNumber(double most, double top) {
        var levels = Plot.upTo(most).levels(String::valueOf);

        assertThat(levels).hasSize(3).endsWith("0");
        assertThat(Double.parseDouble(levels.getFirst())).isEqualTo(top);
    }

    @ParameterizedTest
    @CsvSource({"0,2", "1,2", "3,4", "5,10", "10,10", "21,40", "45,50", "96,100", "250,400"})
    void theAxisOfCountsHasWholeNumbers(long most, double top) {
        var levels = Plot.upToCount(most).levels(String::valueOf);

        assertThat(levels).containsExactly(String.valueOf(top), String.valueOf(top / 2), "0");
        assertThat(top / 2).isEqualTo(Math.rint(top / 2));
    }

    @Test
    void aLineGoesFromTheFootToTheTop() {
        var plot = Plot.upTo(10);
        var spots = List.of(new Spot(0, 0.0), new Spot(0.5, 5.0), new Spot(1, 10.0));

        assertThat(plot.line(spots)).isEqualTo("M0 100L300 50L600 0");
        assertThat(plot.area(spots)).isEqualTo("M0 100L300 50L600 0L600 100L0 100z");
        assertThat(plot.level(5)).isEqualTo("M0 50H600");
    }

    @Test
    void whatIsMissingIsAGapAndNeverZero() {
        var spots = List.of(new Spot(0, 1.0), new Spot(0.5, null), new Spot(1, 1.0));
        var plot = Plot.of(spots.stream().map(Spot::value));

        assertThat(plot.line(spots)).isEqualTo("M0 0M600 0");
        assertThat(plot.area(spots)).as("it would hide the gap").isEmpty();
        assertThat(plot.bars(Arrays.asList(1.0, null, 0.0, 1.0))).hasSize(2);
    }

    @Test
    void theLastBarIsTheTimeThatIsNotOver() {
        var bars = Plot.upTo(2).bars(List.of(1.0, 2.0));

        assertThat(bars).extracting(Chart.Bar::isNow).containsExactly(false, true);
        assertThat(bars.getFirst()).isEqualTo(new Chart.Bar("42", "50", "216", "50", false));
    }

    @Test
    void nothingMeasuredDrawsNothing() {
        var plot = Plot.of(Stream.of(null, null));

        assertThat(plot.spark(List.of(), "nothing").line()).isEmpty();
        assertThat(plot.line(List.of(new Spot(0, null)))).isEmpty();
    }

    @Test
    void aValueAboveTheAxisStaysInThePicture() {
        assertThat(Plot.exactly(10).line(List.of(new Spot(0, 20.0), new Spot(1, -5.0))))
                .isEqualTo("M0 0L600 100");
    }
}
