// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Kit

extension WatchList.Entry {
  /// Names all that a list says of the entry in little room: SHA-256 over its fields, each with its length before it.
  /// An entry whose digest is another one was changed by the list, whatever changed.
  var digest: String {
    var hash = SHA256()
    func put(_ text: String) {
      withUnsafeBytes(of: UInt64(text.utf8.count).bigEndian) { hash.update(bufferPointer: $0) }
      hash.update(data: Data(text.utf8))
    }
    func put(_ texts: [String]) {
      put("\(texts.count)")
      texts.forEach(put)
    }
    put(reference)
    put(kind.rawValue)
    put(sex?.rawValue ?? "")
    let births = datesOfBirth.map { "\($0.first.isoText)/\($0.last.isoText)/\($0.isApproximate)" }
    let numbers = identifiers.flatMap { [$0.type, $0.number, $0.country ?? ""] }
    for texts in [
      names, weakNames, births, placesOfBirth, nationalities.sorted(), numbers, programmes, addresses, topics, remarks,
    ] { put(texts) }
    return hash.finalize().hex
  }
}

extension ScreeningIndex {
  /// Searches every list as `screen` does, and says by which rules and what the entries said.
  func outcome(for subject: Screening.Subject, policy: MatchingPolicy) throws -> Screening.Outcome {
    let outcome = screen(subject, policy: policy)
    guard case .screened(let found) = outcome else { return outcome }
    var report = Screening.Report(
      lists: found.lists, threshold: found.threshold, hits: found.hits.map { described($0) })
    report.matcher = try Screening.Matcher(policy)
    return .screened(report)
  }

  /// The hit with the digest of its entry. Of several entries with one reference the name tells which it is.
  private func described(_ hit: Screening.Hit) -> Screening.Hit {
    var hit = hit
    hit.entryDigest =
      entries(withReference: hit.entityID).first {
        $0.list.code == hit.list && $0.entry.names.first == hit.caption
      }?.entry.digest
    return hit
  }
}
