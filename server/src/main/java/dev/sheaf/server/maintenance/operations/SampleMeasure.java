package dev.sheaf.server.maintenance.operations;

/// What a sample measures.
enum SampleMeasure {
    REQUESTS,
    ERRORS,
    MEDIAN_MS,
    P99_MS,
    JOBS_WAITING,
    DELIVERIES_WAITING,
    DISK_USED,
    CPU,
    HEAP_USED
}
