// SPDX-License-Identifier: Apache-2.0

import HTTP
import Kit
import TestSupport
import Testing

@Suite("Telemetry: what is counted of scheduled jobs")
struct JobMetricsTests {
  @Test("runs by outcome, their durations, and when one last succeeded", .storeless)
  func counted() {
    let metrics = JobMetrics()
    metrics.reports.report("retention", .done, .milliseconds(20), Instant(milliseconds: 1_795_240_800_500))
    metrics.reports.report("retention", .failed, .seconds(2), Instant(milliseconds: 1_795_240_830_000))
    metrics.reports.report("missed-calls", .failed, .seconds(1), Instant(milliseconds: 1_795_240_830_000))
    let page = PrometheusText.page(metrics.families)
    #expect(page.contains(#"gatehouse_job_runs_total{job="retention",outcome="done"} 1"#))
    #expect(page.contains(#"gatehouse_job_runs_total{job="retention",outcome="failed"} 1"#))
    #expect(page.contains(#"gatehouse_job_duration_seconds_bucket{job="retention",le="0.025"} 1"#))
    #expect(page.contains(#"gatehouse_job_duration_seconds_count{job="retention"} 2"#))
    #expect(page.contains(#"gatehouse_job_last_success_timestamp_seconds{job="retention"} 1795240800.5"#))
    #expect(page.contains(#"gatehouse_job_failures_in_a_row{job="retention"} 1"#))
    #expect(metrics.failing == ["missed-calls", "retention"])
    metrics.reports.report("retention", .done, .seconds(1), Instant(milliseconds: 1_795_240_860_000))
    #expect(metrics.failing == ["missed-calls"])
    #expect(
      PrometheusText.page(metrics.families).contains(#"gatehouse_job_failures_in_a_row{job="retention"} 0"#))
    #expect(!page.contains(#"last_success_timestamp_seconds{job="missed-calls"}"#))
  }
}
