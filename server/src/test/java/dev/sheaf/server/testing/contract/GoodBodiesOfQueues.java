package dev.sheaf.server.testing.contract;

import java.util.Map;

/// The part of [GoodBodies] with queues, jobs and workers.
final class GoodBodiesOfQueues {
    private GoodBodiesOfQueues() {}

    static final Map<String, String> ALL = Map.ofEntries(
            Map.entry("createHabitat", """
                    {"name": "More", "slug": "more", "habitatType": "cloud"}"""),
            Map.entry("updateHabitat", """
                    {"name": "More", "slug": "more-still", "habitatType": "cloud"}"""),
            Map.entry("createQueue", """
                    {"name": "More", "slug": "more", "description": "d", "habitatId": "HABITAT_ID", "maxAttempts": 5,
                     "leaseSeconds": 60, "timeoutSeconds": 60, "maxRunning": 10, "maxDepth": 100,
                     "retry": {"baseSeconds": 10, "capSeconds": 60}, "retentionDays": 7, "bundle": "NAMESPACE/notes:^1",
                     "harnessType": "shell", "events": ["failed", "dead"], "execution":
                       {"workingDirectory": "w", "environment": {"LANG": "en"},
                        "sandbox": {"enabled": true, "allowNetwork": true, "allowFileWrite": true, "allowedPaths": ["a"]},
                        "constraints": {"maxTurns": 5, "maxBudgetUsd": 1.5, "timeoutMs": 1000}}}"""),
            Map.entry("updateQueue", """
                    {"name": "More", "slug": "more-still", "description": "d", "habitatId": "HABITAT_ID", "maxAttempts": 5,
                     "leaseSeconds": 60, "timeoutSeconds": 60, "maxRunning": 10, "maxDepth": 100,
                     "retry": {"baseSeconds": 10, "capSeconds": 60}, "retentionDays": 7, "bundle": "NAMESPACE/notes:^1",
                     "harnessType": "shell", "events": ["failed", "dead"], "execution":
                       {"workingDirectory": "w", "environment": {"LANG": "en"},
                        "sandbox": {"enabled": true, "allowNetwork": true, "allowFileWrite": true, "allowedPaths": ["a"]},
                        "constraints": {"maxTurns": 5, "maxBudgetUsd": 1.5, "timeoutMs": 1000}}}"""),
            Map.entry("purgeQueue", """
                    {"status": ["failed"], "jobType": "t", "errorCode": "e",
                     "ids": ["0197f3a0-0000-7000-8000-000000000001"], "after": "2019-01-01T00:00:00Z",
                     "before": "2020-01-01T00:00:00Z", "q": "text"}"""),
            Map.entry("createInstruction", """
                    {"name": "More", "slug": "more", "template": "Do {{ input.a }}.", "active": true}"""),
            Map.entry("renderInstruction", """
                    {"template": "Do {{ input.a }}.", "input": {"a": 1}}"""),
            Map.entry("createSchedule", """
                    {"name": "More", "cron": "30 2 * * *", "timeZone": "Europe/Zurich", "inputData": {"a": 1},
                     "jobType": "t", "enabled": true}"""),
            Map.entry("updateSchedule", """
                    {"name": "More", "cron": "30 2 * * *", "timeZone": "Europe/Zurich", "inputData": {"a": 1},
                     "jobType": "t", "enabled": true}"""),
            Map.entry("createRoute", """
                    {"name": "More", "eventTypes": ["blob.damaged"], "subject": "acme/*", "queueId": "QUEUE_ID",
                     "inputTemplate": "{{ event.subject | json }}", "enabled": true}"""),
            Map.entry("updateRoute", """
                    {"name": "More", "eventTypes": ["blob.*"], "subject": "acme/*", "queueId": "QUEUE_ID",
                     "inputTemplate": "{{ event.subject | json }}", "enabled": true}"""),
            Map.entry("createJobs", """
                    {"jobType": "t", "inputData": {"a": 1}, "priority": "high", "delaySeconds": 60, "dedupeKey": "d",
                     "concurrencyKey": "c", "bundle": "NAMESPACE/notes:^1", "maxAttempts": 5, "data": {"a": 1},
                     "ceType": "version.published", "ceSource": "/organizations/acme", "ceSubject": "acme/notes:1.0.0"}"""),
            Map.entry("retryJobs", """
                    {"status": ["failed", "dead"], "jobType": "t", "errorCode": "e",
                     "ids": ["0197f3a0-0000-7000-8000-000000000001"], "after": "2019-01-01T00:00:00Z",
                     "before": "2020-01-01T00:00:00Z", "q": "text"}"""),
            Map.entry("cancelJobs", """
                    {"status": ["queued", "running"], "jobType": "t", "errorCode": "e",
                     "ids": ["0197f3a0-0000-7000-8000-000000000001"], "after": "2019-01-01T00:00:00Z",
                     "before": "2020-01-01T00:00:00Z", "q": "text"}"""),
            Map.entry("claimJob", """
                    {"queueId": "QUEUE_ID", "leaseDurationMs": 60000, "workerId": "WORKER_ID", "max": 2}"""),
            Map.entry("startJob", "{}"),
            Map.entry("heartbeatJob", "{}"),
            Map.entry("completeJob", """
                    {"outputData": {"a": 1}}"""),
            Map.entry("failJob", """
                    {"errorCode": "c", "errorMessage": "m", "errorDetails": {"a": 1}, "shouldRetry": true}"""),
            Map.entry("releaseJob", "{}"),
            Map.entry("reportProgress", """
                    {"percent": 40, "message": "m"}"""),
            Map.entry("registerWorker", """
                    {"instanceId": "more", "habitatId": "HABITAT_ID", "name": "More", "workerType": "shell",
                     "clientVersion": "1", "clientMetadata": {"a": 1}}"""),
            Map.entry("heartbeatWorker", """
                    {"currentJobId": "JOB_ID"}"""),
            Map.entry("deregisterWorker", """
                    {"reason": "r", "jobsCompleted": 1, "jobsFailed": 1}"""));
}
