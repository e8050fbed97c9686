// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Screening

/// A file of addresses: comma-separated values in UTF-8 with the columns `line1,locality,area,postal_code`, and
/// `line2` where there are apartments.
package enum AddressFile {
  /// Why a file cannot be read. Names lines and columns only.
  package struct Fault: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String
  }

  /// What became of a file's rows.
  package struct Report: Sendable, Equatable {
    package var taken = 0
    /// Rows that are no home in Canada, by why.
    package var left: [String: Int] = [:]
    /// The first of them, by line.
    package var examples: [String] = []

    static let examplesMax = 20

    mutating func leave(_ line: Int, _ reason: String) {
      left[reason, default: 0] += 1
      if examples.count < Self.examplesMax { examples.append("line \(line): \(reason)") }
    }
  }

  /// Makes the index of a file, beside the old one until it is whole: servers that run take it up by themselves.
  package static func load(_ path: String, into index: String) throws -> Report {
    let bytes: Data
    do { bytes = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped) } catch {
      throw Fault(description: "the file cannot be read")
    }
    var builder = AddressIndexBuilder()
    let report = try read(bytes, into: &builder)
    guard report.taken > 0 else { throw Fault(description: "the file has no address that can be suggested") }
    try DurableFile.write(builder.finished(), to: index)
    return report
  }

  static func read(_ bytes: Data, into builder: inout AddressIndexBuilder) throws(Fault) -> Report {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let start = bytes.starts(with: mark) ? 3 : 0
    var (report, gathered) = (Report(), builder)
    var columns: Columns?
    let fault: CSV.Fault? = bytes.withUnsafeBytes { raw in
      CSV.scan(raw[start...]) { line, fields in
        guard let known = columns else {
          columns = Columns(fields)
          return columns == nil ? .noHeader : nil
        }
        guard fields.count == known.count else { return .ragged(line: line) }
        guard gathered.count < AddressIndexBuilder.addressesMax else { return .tooLarge }
        switch known.address(fields) {
        case .success(let address):
          gathered.add(address)
          report.taken += 1
        case .failure(let why): report.leave(line, why.reason)
        }
        return nil
      }
    }
    guard fault != .noHeader, columns != nil else {
      throw Fault(description: "the columns are line1, locality, area and postal_code")
    }
    if let fault { throw Fault(description: "\(fault)") }
    builder = gathered
    return report
  }

  /// Why a row is no address to suggest.
  private struct Unfit: Error { let reason: String }

  private struct Columns {
    let count: Int
    private let places: [String: Int]

    init?(_ header: [String]) {
      let names = header.map { $0.trimmingCharacters(in: .whitespacesAndNewlines).lowercased() }
      places = Dictionary(zip(names, names.indices)) { first, _ in first }
      count = names.count
      guard ["line1", "locality", "area", "postal_code"].allSatisfy({ places[$0] != nil }) else { return nil }
    }

    private func text(_ column: String, _ fields: [String]) -> String? {
      places[column].flatMap { InputCheck.clean(fields[$0]) }
    }

    /// What passes here passes `updateAddresses` too.
    func address(_ fields: [String]) -> Result<KnownAddress, Unfit> {
      guard let line1 = text("line1", fields), let locality = text("locality", fields) else {
        return .failure(Unfit(reason: "no line or no town"))
      }
      let line2 = text("line2", fields)
      let texts = [line1, locality] + (line2.map { [$0] } ?? [])
      guard texts.allSatisfy({ $0.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } }),
        line1.unicodeScalars.count <= 300, locality.unicodeScalars.count <= 150,
        (line2?.unicodeScalars.count ?? 0) <= 300
      else { return .failure(Unfit(reason: "too long, or with control characters")) }
      guard let province = CanadianProvince(area: text("area", fields) ?? "") else {
        return .failure(Unfit(reason: "no province or territory"))
      }
      guard let code = CanadianPostalCode(text("postal_code", fields) ?? "") else {
        return .failure(Unfit(reason: "no postal code"))
      }
      guard province.letters.contains(code.letter) else {
        return .failure(Unfit(reason: "the postal code of another province"))
      }
      guard [line1, line2].allSatisfy({ $0.flatMap(ExcludedPlace.init(in:)) == nil }) else {
        return .failure(Unfit(reason: "a box, a base, a hospital or a prison"))
      }
      return .success(
        KnownAddress(line1: line1, line2: line2, locality: locality, province: province, postalCode: code))
    }
  }
}
