import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The clients of bench/queues.py: plain sockets that stay open, on virtual threads, so that the server is the slow part. KEY has
/// the API key. Nodes are host:port, separated by commas. Each command prints one line of JSON, with times in milliseconds.
///
///     java bench/JobLoad.java throughput QUEUE NODES CLIENTS WARM_SECONDS SECONDS PIDS
///     java bench/JobLoad.java latency QUEUE CLAIM_NODE ENQUEUE_NODE WAITERS JOBS PAUSE_MS
///     java bench/JobLoad.java claims QUEUE NODE ROUNDS PID
public class JobLoad {
    private static final String KEY = System.getenv("KEY");
    private static final String JOBS = "/v1/organizations/default/queues/%s/jobs";
    private static final String CLAIM = "/v1/runner/jobs:claim?wait_timeout_seconds=";
    private static final int AT_ONCE = 100;
    private static final Pattern ID = Pattern.compile("\"id\":\"([0-9a-f-]{36})\"");

    public static void main(String[] args) throws Exception {
        String result = switch (args[0]) {
            case "throughput" -> throughput(args);
            case "latency" -> latency(args);
            case "claims" -> claims(args);
            default -> throw new IllegalArgumentException(args[0]);
        };
        System.out.println(result);
        System.exit(0); // waiting connections no longer matter
    }

    // --- HTTP ---

    private record Answer(int status, String text) {
        String id() {
            var found = ID.matcher(text);
            if (!found.find()) {
                throw new IllegalStateException("no id: " + text);
            }
            return found.group(1);
        }
    }

    /// A connection that stays open; for one thread.
    private static final class Connection implements AutoCloseable {
        private final Socket socket;
        private final InputStream in;
        private final OutputStream out;
        private final String host;

        Connection(String node) throws IOException {
            int colon = node.lastIndexOf(':');
            host = node;
            socket = new Socket(node.substring(0, colon), Integer.parseInt(node.substring(colon + 1)));
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream(), 16 << 10);
            out = socket.getOutputStream();
        }

        Answer post(String path, String json) throws IOException {
            out.write(("POST " + path + " HTTP/1.1\r\nHost: " + host + "\r\nAuthorization: Bearer " + KEY
                            + "\r\nContent-Type: application/json\r\nContent-Length: " + json.length() + "\r\n\r\n" + json)
                    .getBytes(StandardCharsets.US_ASCII));
            int status = Integer.parseInt(line().split(" ")[1]);
            int length = 0;
            for (String header = line(); !header.isEmpty(); header = line()) {
                String lower = header.toLowerCase();
                if (lower.startsWith("content-length:")) {
                    length = Integer.parseInt(header.substring(15).strip());
                } else if (lower.startsWith("transfer-encoding:")) {
                    throw new IOException("an answer of unknown length to " + path);
                }
            }
            var answer = new Answer(status, new String(in.readNBytes(length), StandardCharsets.UTF_8));
            if (status >= 300) {
                throw new IOException("POST " + path + ": " + status + " " + answer.text());
            }
            return answer;
        }

        private String line() throws IOException {
            var line = new StringBuilder();
            for (int b = in.read(); b != '\n'; b = in.read()) {
                if (b < 0) {
                    throw new IOException("the server ended the connection");
                }
                if (b != '\r') {
                    line.append((char) b);
                }
            }
            return line.toString();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static String claim(String queue) {
        return "{\"queueId\":\"" + queue + "\"}";
    }

    private static String verb(String id, String verb) {
        return "/v1/runner/jobs/" + id + ":" + verb;
    }

    /// Returns the median, the 99th percentile and the maximum.
    private static String times(List<Long> nanos) {
        long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
        if (sorted.length == 0) {
            return "null";
        }
        int last = sorted.length - 1;
        return Arrays.stream(new long[] {sorted[last / 2], sorted[(int) (last * 0.99)], sorted[last]})
                .mapToObj(time -> "%.2f".formatted(time / 1e6))
                .toList()
                .toString();
    }

    // --- enqueue, claim, start, complete, as fast as possible ---

    private record Done(long at, long[] verbs) {}

    private static String throughput(String[] args) throws Exception {
        String queue = args[1];
        var nodes = args[2].split(",");
        int clients = Integer.parseInt(args[3]);
        long begin = System.nanoTime() + Long.parseLong(args[4]) * 1_000_000_000L;
        long end = begin + Long.parseLong(args[5]) * 1_000_000_000L;
        var ticks = new long[4];
        var watch = Thread.ofPlatform().start(() -> {
            ticks[0] = ticksAt(begin, args[6]);
            ticks[1] = ticksOfAll();
            ticks[2] = ticksAt(end, args[6]);
            ticks[3] = ticksOfAll();
        });
        var done = new ConcurrentLinkedQueue<Done>();
        together(clients, which -> () -> {
            try (var connection = new Connection(nodes[which % nodes.length])) {
                while (System.nanoTime() < end) {
                    done.add(one(connection, queue));
                }
            }
            return which;
        });
        watch.join();
        var counted = done.stream().filter(each -> each.at() >= begin && each.at() < end).toList();
        var text = new StringBuilder("{\"jobs\": %d, \"seconds\": %d, \"ticks\": %d, \"all\": %d"
                .formatted(
                        counted.size(), (end - begin) / 1_000_000_000L, ticks[2] - ticks[0], ticks[3] - ticks[1]));
        var names = List.of("enqueue", "claim", "start", "complete");
        for (int i = 0; i < names.size(); i++) {
            int verb = i;
            text.append(", \"" + names.get(i) + "\": ")
                    .append(times(counted.stream().map(each -> each.verbs()[verb]).toList()));
        }
        return text + "}";
    }

    /// Enqueues a job, and does one: this one or another.
    private static Done one(Connection connection, String queue) throws IOException {
        long t0 = System.nanoTime();
        connection.post(JOBS.formatted(queue), "{\"inputData\":{\"file\":\"notes.md\"}}");
        long t1 = System.nanoTime();
        Answer claimed;
        do {
            claimed = connection.post(CLAIM + "20", claim(queue));
        } while (claimed.status() == 204);
        long t2 = System.nanoTime();
        String id = claimed.id();
        connection.post(verb(id, "start"), "{}");
        long t3 = System.nanoTime();
        connection.post(verb(id, "complete"), "{\"outputData\":{\"words\":12}}");
        long t4 = System.nanoTime();
        return new Done(t4, new long[] {t1 - t0, t2 - t1, t3 - t2, t4 - t3});
    }

    private interface Task {
        Callable<Integer> of(int which);
    }

    private static void together(int count, Task task) throws Exception {
        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            var all = new ArrayList<Future<Integer>>();
            for (int i = 0; i < count; i++) {
                all.add(executor.submit(task.of(i)));
            }
            for (var each : all) {
                each.get();
            }
        }
    }

    // --- from an enqueue to the answer of a waiting claim ---

    private static String latency(String[] args) throws Exception {
        String queue = args[1];
        int waiters = Integer.parseInt(args[4]);
        int jobs = Integer.parseInt(args[5]);
        long pause = Long.parseLong(args[6]) * 1_000_000L;
        Map<String, Long> came = new ConcurrentHashMap<>();
        for (int i = 0; i < waiters; i++) {
            var connection = new Connection(args[2]);
            Thread.ofVirtual().start(() -> work(connection, queue, came));
        }
        Thread.sleep(2_000); // until all claims wait
        Map<String, long[]> sent = new ConcurrentHashMap<>();
        try (var connection = new Connection(args[3])) {
            long next = System.nanoTime();
            for (int i = 0; i < jobs; i++) {
                next += pause;
                Thread.sleep(Math.max(0, (next - System.nanoTime()) / 1_000_000));
                long begin = System.nanoTime();
                String id = connection.post(JOBS.formatted(queue), "{\"inputData\":{\"n\":" + i + "}}").id();
                sent.put(id, new long[] {begin, System.nanoTime()});
            }
        }
        long until = System.nanoTime() + 20_000_000_000L;
        while (!came.keySet().containsAll(sent.keySet()) && System.nanoTime() < until) {
            Thread.sleep(10);
        }
        var fromBegin = new ArrayList<Long>();
        var fromAnswer = new ArrayList<Long>();
        sent.forEach((id, times) -> {
            Long at = came.get(id);
            if (at != null) {
                fromBegin.add(at - times[0]);
                fromAnswer.add(Math.max(0, at - times[1]));
            }
        });
        return "{\"jobs\": %d, \"lost\": %d, \"begin\": %s, \"answer\": %s}"
                .formatted(jobs, jobs - fromBegin.size(), times(fromBegin), times(fromAnswer));
    }

    private static void work(Connection connection, String queue, Map<String, Long> came) {
        try (connection) {
            while (true) {
                var claimed = connection.post(CLAIM + "55", claim(queue));
                long at = System.nanoTime();
                if (claimed.status() == 200) {
                    String id = claimed.id();
                    came.put(id, at);
                    connection.post(verb(id, "complete"), "{}");
                }
            }
        } catch (IOException e) {
            System.err.println(e);
            System.exit(1);
        }
    }

    // --- the cost of a claim for the server ---

    private static String claims(String[] args) throws Exception {
        String queue = args[1];
        int rounds = Integer.parseInt(args[3]);
        var times = new ArrayList<Long>();
        long ticks = 0;
        try (var connection = new Connection(args[2])) {
            String batch = "{\"jobs\":[" + "{},".repeat(AT_ONCE - 1) + "{}]}";
            for (int round = -5; round < rounds; round++) { // the first ones warm up
                connection.post(JOBS.formatted(queue), batch);
                Thread.sleep(200); // lets the work after the enqueue end
                long before = ticks(args[4]);
                var taken = new ArrayList<String>();
                for (int i = 0; i < AT_ONCE; i++) {
                    long begin = System.nanoTime();
                    var claimed = connection.post(CLAIM + "0", claim(queue));
                    if (round >= 0) {
                        times.add(System.nanoTime() - begin);
                    }
                    taken.add(claimed.id());
                }
                ticks += round < 0 ? 0 : ticks(args[4]) - before;
                for (String id : taken) {
                    connection.post(verb(id, "complete"), "{}");
                }
            }
        }
        return "{\"claims\": %d, \"ticks\": %d, \"times\": %s}".formatted(times.size(), ticks, times(times));
    }

    private static long ticksAt(long nanos, String pids) {
        try {
            Thread.sleep(Math.max(0, (nanos - System.nanoTime()) / 1_000_000));
            long ticks = 0;
            for (String pid : pids.split(",")) {
                ticks += ticks(pid);
            }
            return ticks;
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Returns the CPU ticks of the whole machine.
    private static long ticksOfAll() {
        try {
            var fields = Files.readAllLines(Path.of("/proc/stat")).getFirst().split(" +");
            // user, nice, system; idle and waiting for disks; interrupts
            return Stream.of(1, 2, 3, 6, 7)
                    .mapToLong(field -> Long.parseLong(fields[field]))
                    .sum();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Returns the CPU ticks of these processes, user and system.
    private static long ticks(String pid) throws IOException {
        String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    }
}
