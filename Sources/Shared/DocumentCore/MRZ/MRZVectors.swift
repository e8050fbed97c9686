// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A file of test zones, and the report on them that `gatehouse mrz parse --json` prints.
public enum MRZVectors {
  /// A vectors file: the reference date and the zones. Other members are left alone.
  public struct File: Decodable, Sendable {
    public let referenceDate: CalendarDate
    public let vectors: [Vector]

    private enum CodingKeys: String, CodingKey {
      case referenceDate = "reference_date"
      case vectors
    }
  }

  /// One zone of the file.
  public struct Vector: Decodable, Sendable {
    public let id: String
    public let lines: [String]
  }

  /// The data is no vectors file.
  public struct MalformedFile: Error, Hashable, Sendable {
    public init() {}
  }

  /// The answers to a file, in its order.
  public struct Report: Encodable, Sendable {
    public let vectors: [Answer]

    public init(on file: File) {
      vectors = file.vectors.map {
        Answer(id: $0.id, result: MRZ.parse(lines: $0.lines, referenceDate: file.referenceDate))
      }
    }
  }

  /// The answer to one zone; the members that the file has under `expected`, beside the id.
  public struct Answer: Encodable, Sendable {
    public let id: String
    public let result: MRZ.Result

    private enum Key: String, CodingKey {
      case id
    }

    public func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(id, forKey: .id)
      var findings = encoder.container(keyedBy: MRZ.Result.Key.self)
      try result.encodeFindings(into: &findings)
    }
  }

  /// Reads the JSON of a vectors file.
  public static func file(from data: Data) throws(MalformedFile) -> File {
    guard let file = try? JSONDecoder().decode(File.self, from: data) else { throw MalformedFile() }
    return file
  }

  /// The report on a vectors file, as JSON:
  /// `{"vectors":[{"id", "valid", "errors", "warnings", "fields", "check_digits"}]}`.
  public static func reportJSON(for data: Data) throws(MalformedFile) -> Data {
    try json(Report(on: file(from: data)))
  }

  private static func json(_ report: Report) throws(MalformedFile) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(report) else { throw MalformedFile() }
    return data
  }
}
