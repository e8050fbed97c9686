// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Evidence

/// How often something was read right, of how many.
struct EvidenceTally: Codable, Sendable, Equatable {
  var asked = 0
  var right = 0
  /// Read, and not what stands there.
  var wrong = 0
  /// Wrong, and the reader vouched for it.
  var wrongAndCertain = 0

  var missing: Int { asked - right - wrong }
  var share: Double { asked == 0 ? 0 : Double(right) / Double(asked) }

  enum CodingKeys: String, CodingKey {
    case asked, right, wrong
    case wrongAndCertain = "wrong_and_certain"
  }

  mutating func add(_ read: String?, _ truth: String, isCertain: Bool) {
    asked += 1
    guard let read, !read.isEmpty || truth.isEmpty else { return }
    if read == truth {
      right += 1
    } else {
      wrong += 1
      if isCertain { wrongAndCertain += 1 }
    }
  }

  mutating func add(_ other: EvidenceTally) {
    asked += other.asked
    right += other.right
    wrong += other.wrong
    wrongAndCertain += other.wrongAndCertain
  }
}

/// Fields by the confidence that they were reported with, and how many of them were right.
struct ReliabilityTable: Codable, Sendable {
  struct Bin: Codable, Sendable, Equatable {
    /// Confidence from this value on, to the next bin's.
    var from: Double
    var fields = 0
    var right = 0
    /// Sum of what was reported.
    var confidence = 0.0
  }

  private(set) var bins = [0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99].map { Bin(from: $0) }

  mutating func add(confidence: Double, isRight: Bool) {
    guard let at = bins.lastIndex(where: { $0.from <= confidence }) else { return }
    bins[at].fields += 1
    bins[at].right += isRight ? 1 : 0
    bins[at].confidence += confidence
  }

  /// Expected calibration error: the mean distance of reported confidence and share of right fields, weighed by how
  /// many fields a bin holds.
  var calibrationError: Double {
    let count = bins.reduce(0) { $0 + $1.fields }
    guard count > 0 else { return 0 }
    return bins.reduce(0) { $0 + abs($1.confidence - Double($1.right)) } / Double(count)
  }
}

/// Everything that one reader did with the pictures of one wear.
struct EvidenceScore: Codable, Sendable {
  /// Whole zones, every character; certain when the reader vouches for every field.
  var zone = EvidenceTally()
  /// Zones by what the picture shows.
  var zoneOf: [String: EvidenceTally] = [:]
  var zoneFields: [String: EvidenceTally] = [:]
  var printFields: [String: EvidenceTally] = [:]
  var barcode = EvidenceTally()
  /// Pictures that were taken for another kind of document, or for none.
  var wrongKind = 0
  /// Seeds of zones that were not right, twenty at most.
  var missed: [UInt64] = []

  /// Print for people as a whole.
  var print: EvidenceTally { printFields.values.reduce(into: EvidenceTally()) { $0.add($1) } }

  enum CodingKeys: String, CodingKey {
    case zone
    case zoneOf = "zone_of"
    case zoneFields = "zone_fields"
    case printFields = "print_fields"
    case barcode
    case wrongKind = "wrong_kind"
    case missed
  }

  mutating func add(_ reply: PictureReply, _ picture: EvidencePicture) {
    if !picture.lines.isEmpty { addZone(reply, picture) }
    if let barcode = picture.barcode {
      self.barcode.add(reply.reading?.barcode?.payload, barcode, isCertain: true)
    }
    guard let reading = reply.reading else { return }
    if reading.detected != picture.subject.document { wrongKind += 1 }
    for (field, truth) in picture.print {
      let value = reading.visualZone?.values[field]
      printFields[field.rawValue, default: EvidenceTally()].add(
        value.map { Self.plain($0.text) }, Self.plain(truth),
        isCertain: (value?.confidence ?? 0) >= Self.certainMin)
    }
  }

  /// From here on print counts as certain in a comparison (`PrintedPerson`).
  static let certainMin = 0.9

  private mutating func addZone(_ reply: PictureReply, _ picture: EvidencePicture) {
    let (read, truth) = (reply.lines.joined(separator: "\n"), picture.lines.joined(separator: "\n"))
    let certain = Set(reply.certain)
    let isCertain = certain.isSuperset(of: ZoneFields.names + [ZoneFields.whole])
    zone.add(read, truth, isCertain: isCertain)
    zoneOf[picture.subject.rawValue, default: EvidenceTally()].add(read, truth, isCertain: isCertain)
    if read != truth, missed.count < 20 { missed.append(picture.seed) }
    let (got, wanted) = (reply.fields ?? ZoneFields.of(reply.lines), ZoneFields.of(picture.lines))
    for name in ZoneFields.names {
      zoneFields[name, default: EvidenceTally()].add(
        got[name], wanted[name] ?? "", isCertain: certain.contains(name))
    }
  }

  /// An apostrophe is one character, however it is typeset.
  static func plain(_ text: String) -> String { text.replacing("’", with: "'") }
}
