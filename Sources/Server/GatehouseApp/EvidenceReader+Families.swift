// SPDX-License-Identifier: Apache-2.0

import Evidence
import HTTP

extension EvidenceReader {
  /// How much work pictures make in this process and in its workers.
  var families: [MetricFamily] {
    let resting = queue.restingUse
    func byRest(_ others: Int, _ resting: Int) -> [([String], Double)] {
      [(["no"], Double(others)), (["yes"], Double(resting))]
    }
    var families: [MetricFamily] = [
      .labelled(
        "gatehouse_evidence_waiting", help: "Pictures that wait for a thread.", labels: ["rests"],
        byRest(resting.others.waiting, resting.waiting)),
      .labelled(
        "gatehouse_evidence_refused_total",
        help: "Pictures that were refused because too many waited, or for too long.", kind: .counter,
        labels: ["rests"], byRest(resting.others.refused, resting.refused)),
      .single(
        "gatehouse_evidence_resting_total", help: "Pictures that had to rest, refused ones too.", kind: .counter,
        Double(resting.came)),
    ]
    guard let counts = workers?.counts else { return families }
    families += [
      .single("gatehouse_evidence_workers", help: "Worker processes that there are now.", Double(counts.workers)),
      .single(
        "gatehouse_evidence_worker_starts_total", help: "Worker processes that were started.", kind: .counter,
        Double(counts.starts)),
      .single(
        "gatehouse_evidence_worker_losses_total",
        help: "Worker processes that ended, or were ended, while they read a picture.", kind: .counter,
        Double(counts.losses)),
      .single(
        "gatehouse_evidence_pictures_total", help: "Pictures that were given to a worker.", kind: .counter,
        Double(counts.pages)),
      .single(
        "gatehouse_evidence_seconds_total", help: "Seconds that workers had pictures.", kind: .counter, counts.seconds),
    ]
    return families
  }
}
