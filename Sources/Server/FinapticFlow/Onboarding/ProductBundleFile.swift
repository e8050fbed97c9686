// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Kit

/// Bundles as an operator writes them: `{"bundles": […]}`, with every member and without unknown ones.
package struct ProductBundleFile: Sendable, Equatable, Codable {
  /// Why a file holds no bundles. Names the file and its members.
  package struct Fault: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String
  }

  static let bundlesMax = 100
  private static let (bytesMax, aliasesMax) = (1 << 20, 10)

  package let bundles: [ProductBundle]

  /// The five of the specification, which come with the program.
  package static let standard: [ProductBundle] = {
    do { return try read(Data(PackageResources.bundles_json), "bundles.json") } catch {
      preconditionFailure("The bundles that come with the program are right: \(error)")
    }
  }()

  /// The bundles of a file, or of every `*.json` in a folder.
  package static func read(path: String) throws(Fault) -> [ProductBundle] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw Fault(description: "there is no \(path)")
    }
    let names = isFolder.boolValue ? (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] : []
    let files = isFolder.boolValue ? names.filter { $0.hasSuffix(".json") }.sorted().map { "\(path)/\($0)" } : [path]
    guard !files.isEmpty else { throw Fault(description: "\(path) has no *.json") }
    var bundles: [ProductBundle] = []
    for file in files {
      guard let bytes = FileManager.default.contents(atPath: file), bytes.count <= bytesMax else {
        throw Fault(description: "\(file) cannot be read, or is too large")
      }
      bundles += try parse(bytes, file)
    }
    try check(bundles)
    return bundles
  }

  /// - Parameter name: for people.
  package static func read(_ json: Data, _ name: String) throws(Fault) -> [ProductBundle] {
    let bundles = try parse(json, name)
    try check(bundles)
    return bundles
  }

  /// What `read` takes.
  package static func text(_ bundles: [ProductBundle]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(ProductBundleFile(bundles: bundles)), as: UTF8.self)
  }

  private static func parse(_ json: Data, _ name: String) throws(Fault) -> [ProductBundle] {
    do { return try StrictJSON.decode(ProductBundleFile.self, from: json).bundles } catch {
      let fields = ((error as? Problem)?.fields ?? []).map { "\($0.pointer) \($0.message)" }
      let reason = fields.isEmpty ? (error as? Problem)?.detail ?? "\(type(of: error))" : fields.joined(separator: " ")
      throw Fault(description: "\(name): \(reason)")
    }
  }

  // MARK: Rules

  private static func check(_ bundles: [ProductBundle]) throws(Fault) {
    guard (1...bundlesMax).contains(bundles.count) else {
      throw Fault(description: "1 to \(bundlesMax) bundles are needed")
    }
    var names: Set<String> = []
    for bundle in bundles {
      for name in [bundle.id] + bundle.aliases {
        guard name.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9._-]{0,63}/) != nil else {
          throw Fault(description: "bundle \(bundle.id): an id is 1 to 64 letters, digits, dots, hyphens, underscores")
        }
        guard names.insert(name).inserted else { throw Fault(description: "bundle \(name) is there twice") }
      }
      if let reason = fault(of: bundle) { throw Fault(description: "bundle \(bundle.id): \(reason)") }
    }
  }

  private static func fault(of bundle: ProductBundle) -> String? {
    func isRepeated(_ values: [String]) -> Bool { Set(values).count != values.count }
    let updates = bundle.verifications.flatMap(\.requiredUpdates)
    let (consents, disclosures) = (bundle.consents.map(\.type), bundle.disclosures.map(\.type))
    if bundle.aliases.count > aliasesMax { return "at most \(aliasesMax) aliases" }
    if isRepeated(bundle.verifications.map(\.name.rawValue)) { return "a verification is there twice" }
    if bundle.verifications.contains(where: { isRepeated($0.requiredUpdates.map(\.rawValue)) }) {
      return "a required update is there twice"
    }
    if isRepeated(consents) || isRepeated(disclosures) { return "a consent or disclosure is there twice" }
    if let other = consents.first(where: { !TenantDocument.consents.map(\.type).contains($0) }) {
      return "\(other) is no consent"
    }
    if let other = disclosures.first(where: { !TenantDocument.disclosures.contains($0) }) {
      return "\(other) is no disclosure"
    }
    if !updates.contains(.personalDetails) { return "a customer has a name: UpdatePersonalDetailsRequest is required" }
    // The age of majority depends on where the applicant lives.
    if bundle.needsKYC, !updates.contains(.addresses) { return "KYC needs UpdateAddressesRequest" }
    if consents.isEmpty == updates.contains(.consents) {
      return "UpdateConsentsRequest is required where there are consents, and only there"
    }
    if disclosures.isEmpty == updates.contains(.disclosures) {
      return "UpdateDisclosuresRequest is required where there are disclosures, and only there"
    }
    if bundle.products.count > FinalizeCommands.productsMax {
      return "at most \(FinalizeCommands.productsMax) products"
    }
    if let first = bundle.products.first, first != .account { return "a card is of the account before it" }
    return nil
  }
}
