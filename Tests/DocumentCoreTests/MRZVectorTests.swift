// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import OpenAPISupport
import Testing

/// Skipped by name when the specification's folder is absent.
@Suite("MRZ: the specification's vectors", .enabled(if: Vectors.isPresent, "mrz-vectors.json is not there"))
struct MRZVectorTests {
  @Test("the vectors file is read, and has vectors")
  func fileIsRead() throws {
    let data = try #require(Vectors.data)
    let file = try JSONDecoder().decode(VectorsFile.self, from: data)
    #expect(!file.zones.isEmpty, "mrz-vectors.json has no vectors")
  }

  @Test("every member of the file with vectors is one that is read, and has some")
  func members() throws {
    let file = try JSONDecoder().decode(JSONValue.self, from: try #require(Vectors.data))
    guard case .object(let members) = file else {
      Issue.record("mrz-vectors.json holds no object")
      return
    }
    let read = ["vectors", "check_digit_vectors", "name_encoding_vectors", "ocr_correction_vectors"]
    for (name, value) in members where name.hasSuffix("vectors") {
      #expect(read.contains(name), "no test reads \(name)")
      #expect(value != .array([]), "\(name) is empty")
    }
  }

  @Test("a file that names its vectors otherwise is not read")
  func fileWithoutVectors() throws {
    let named = Data(#"{"reference_date": "2026-11-22", "vectors": []}"#.utf8)
    #expect(try JSONDecoder().decode(VectorsFile.self, from: named).zones.isEmpty)
    let renamed = Data(#"{"reference_date": "2026-11-22", "zones": []}"#.utf8)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(VectorsFile.self, from: renamed) }
  }

  @Test("check_digit_vectors", arguments: Vectors.file?.checkDigits ?? [])
  func checkDigits(_ vector: VectorsFile.CheckDigit) {
    #expect(MRZ.checkDigit(of: vector.input) == vector.digit)
  }

  @Test(
    "vectors: valid, errors, warnings, fields and check digits are as expected", arguments: Vectors.file?.zones ?? [])
  func zones(_ vector: VectorsFile.Zone) throws {
    let file = try #require(Vectors.file)
    let result = MRZ.parse(lines: vector.lines, referenceDate: file.referenceDate)
    let answer = try answerJSON(result)
    let accepted = [vector.expected, vector.alternativeExpected].compactMap { $0?.withFindingsAsSets }
    #expect(accepted.contains { answer.agrees(with: $0) }, "\(answer)")
    if result.valid, let format = vector.format { #expect(result.format?.rawValue == format) }
  }

  @Test("encode(parse(x)) is x for every valid vector", arguments: Vectors.file?.zones ?? [])
  func roundTrip(_ vector: VectorsFile.Zone) throws {
    let file = try #require(Vectors.file)
    let result = MRZ.parse(lines: vector.lines, referenceDate: file.referenceDate)
    guard result.valid else { return }
    #expect(try MRZ.lines(of: #require(result.record)) == vector.lines)
  }

  @Test("the report of a file has one answer for each vector, in the file's shape")
  func report() throws {
    let data = try #require(Vectors.data)
    let report = try JSONDecoder().decode(JSONValue.self, from: MRZVectors.reportJSON(for: data))
    guard case .array(let answers) = report["vectors"] else {
      Issue.record("no vectors in the report")
      return
    }
    let zones = try #require(Vectors.file).zones
    #expect(answers.count == zones.count)
    for (answer, zone) in zip(answers, zones) {
      guard case .object(var members) = answer else { continue }
      #expect(members.removeValue(forKey: "id") == .string(zone.id))
      let accepted = [zone.expected, zone.alternativeExpected].compactMap { $0?.withFindingsAsSets }
      #expect(accepted.contains { JSONValue.object(members).withFindingsAsSets.agrees(with: $0) })
    }
  }

  private func answerJSON(_ result: MRZ.Result) throws -> JSONValue {
    let json = try JSONDecoder().decode(JSONValue.self, from: Data(MRZ.json(result).utf8))
    guard case .object(var members) = json else { return json }
    members["format"] = nil
    return JSONValue.object(members).withFindingsAsSets
  }
}
