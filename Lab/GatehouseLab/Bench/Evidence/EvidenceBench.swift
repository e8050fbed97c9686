// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Evidence
import Foundation
import GatehouseApp
import Specimens

/// Draws pictures, has each read by our reader and by a peer, and compares both with the truth.
///
/// Readers are programs of their own and read one after the other, so that no one's time or memory counts what drawing
/// or another reader takes.
final class EvidenceBench {
  let seed: UInt64
  let day: CalendarDate
  /// Receives a line of progress.
  let say: (String) -> Void
  private let folder: String
  private let ours: () throws -> PictureReader
  private var own: PictureReader
  private var peer: PictureReader?
  private(set) var report: EvidenceReport

  init(
    seed: UInt64, day: CalendarDate, folder: String, isRelease: Bool, ours: @escaping () throws -> PictureReader,
    peer: PictureReader?, say: @escaping (String) -> Void
  ) throws {
    (self.seed, self.day, self.folder, self.ours, self.peer, self.say) = (seed, day, folder, ours, peer, say)
    own = try ours()
    report = EvidenceReport(seed: seed, day: day.isoText, isRelease: isRelease)
    if peer != nil { report.passportEye = ReaderReport() }
  }

  func stop() {
    own.stop()
    peer?.stop()
  }

  /// - Parameters:
  ///   - count: pictures over all wears, in equal parts.
  ///   - subjects: what they show, in turns.
  func measure(_ count: Int, _ subjects: [EvidencePicture.Subject], _ wears: [EvidenceWear]) throws {
    try warmUp()
    for number in 0..<count {
      let wear = wears[number % wears.count], subject = subjects[number / wears.count % subjects.count]
      let picture = try EvidencePicture.draw(subject, seed: seed &+ UInt64(number), wear: wear, on: day)
      report.pictures[wear.name, default: [:]][subject.rawValue, default: 0] += 1
      let path = try store(picture)
      defer { try? FileManager.default.removeItem(atPath: path) }
      let request = PictureRequest(path: path, day: day.isoText, expected: subject.document)
      if let reply = try read(request) { note(reply, picture, wear.name) }
      if !picture.lines.isEmpty { askPeer(request, picture, wear.name) }
      if (number + 1) % 50 == 0 { say("\(number + 1) of \(count) pictures") }
    }
  }

  /// Both sides of cards, each side worn in its own way.
  func measurePairs(_ count: Int, wear: EvidenceWear) throws {
    var pairs = PairReport()
    for offset in 0..<UInt64(count) {
      let seed = seed &+ 1_000_000 &+ offset
      let drawn = try Specimen.draw(.idCard, seed: seed, reference: day, degrade: wear.degradations(seed: seed))
      var documents: [DocumentKind: DocumentReading] = [:]
      for (side, picture) in drawn.images {
        let kind: DocumentKind = side == .front ? .nationalIDFront : .nationalIDBack
        let path = try store(picture.data, "\(seed)-\(side.rawValue).\(picture.format.fileExtension)")
        defer { try? FileManager.default.removeItem(atPath: path) }
        documents[kind] = try read(PictureRequest(path: path, day: day.isoText, expected: kind))?.reading
      }
      pairs.add(documents, seed: seed, declared: drawn.truth.holder, on: day)
      if (offset + 1) % 50 == 0 { say("\(offset + 1) of \(count) pairs") }
    }
    report.pairs = pairs
  }

  /// Engines are loaded by the first picture, which is not counted.
  private func warmUp() throws {
    let wear = EvidenceWear("warm-up", own: [])
    let picture = try EvidencePicture.draw(.passport, seed: seed &- 1, wear: wear, on: day)
    let path = try store(picture)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let request = PictureRequest(path: path, day: day.isoText, expected: .passport)
    _ = try own.read(request)
    guard let peer else { return }
    do { _ = try peer.read(request) } catch { drop("\(error)") }
  }

  private func note(_ reply: PictureReply, _ picture: EvidencePicture, _ wear: String) {
    var own = report.gatehouse
    own.scores[wear, default: EvidenceScore()].add(reply, picture)
    own.pageTimes.add(wall: reply.wall, processor: reply.processor)
    if !picture.lines.isEmpty, let wall = reply.zoneWall, let processor = reply.zoneProcessor {
      own.zoneTimes.add(wall: wall, processor: processor)
    }
    own.peak = max(own.peak, reply.peak)
    report.gatehouse = own
    for (field, truth) in picture.print {
      guard let value = reply.reading?.visualZone?.values[field] else { continue }
      report.reliability.add(
        confidence: value.confidence, isRight: EvidenceScore.plain(value.text) == EvidenceScore.plain(truth))
    }
  }

  /// - Returns: nil when the reader was lost, which the report counts.
  private func read(_ request: PictureRequest) throws -> PictureReply? {
    do { return try own.read(request) } catch is PictureReader.Lost {
      report.gatehouse.losses += 1
      own.stop()
      own = try ours()
      return nil
    }
  }

  private func askPeer(_ request: PictureRequest, _ picture: EvidencePicture, _ wear: String) {
    guard let peer, var other = report.passportEye else { return }
    do {
      let reply = try peer.read(request)
      other.scores[wear, default: EvidenceScore()].add(reply, picture)
      other.zoneTimes.add(wall: reply.wall, processor: reply.processor)
      other.peak = max(other.peak, reply.peak)
      report.passportEye = other
    } catch { drop("\(error)") }
  }

  private func drop(_ reason: String) {
    peer?.stop()
    peer = nil
    report.withoutPeer = "it stopped: \(reason)"
    say("PassportEye stopped: \(reason)")
  }

  private func store(_ picture: EvidencePicture) throws -> String {
    try store(picture.bytes, "\(picture.subject.rawValue)-\(picture.seed).\(picture.fileExtension)")
  }

  private func store(_ bytes: Data, _ name: String) throws -> String {
    let path = "\(folder)/\(name)"
    try bytes.write(to: URL(fileURLWithPath: path))
    return path
  }
}
