// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import GatehouseWire
import Kit
import ReferenceData

/// What a sender says that money is for, as it is kept: one text of up to 420 characters, and up to five documents
/// (finaptic §8.7).
struct RemittanceCheck {
  static let textMax = 420
  /// Bytes of the documents as JSON.
  static let documentsMax = 64 * 1024

  private var fields: [Problem.Field] = []

  /// - Returns: nil for none, or one that says nothing.
  /// - Throws: `Problem` invalid argument with everything that is wrong, by its path.
  static func kept(_ given: FinapticAPI.Remittance?, _ path: String = "remittance") throws -> FinapticAPI.Remittance? {
    guard let given else { return nil }
    var input = InputCheck()
    let text = input.text(given.unstructured?.data, "\(path).unstructured.data", max: textMax)
    var check = RemittanceCheck()
    let structured = try given.structured.flatMap(InputCheck.clean).flatMap {
      try check.documents($0, "\(path).structured")
    }
    for field in check.fields { input.refuse(field.pointer, field.code, field.message) }
    try input.end()
    guard text != nil || structured != nil else { return nil }
    return FinapticAPI.Remittance(unstructured: text.map { .init(data: $0) }, structured: structured)
  }

  /// The documents as text again, with nothing in them that is not understood.
  private mutating func documents(_ json: String, _ path: String) throws -> String? {
    guard json.utf8.count <= Self.documentsMax,
      let tree = try? WireJSON.decode(RemittanceTree.self, from: Data(json.utf8)), case .list = tree
    else {
      refuse(path, "json", "A JSON array of at most \(RemittanceShape.documentsMax) documents.")
      return nil
    }
    guard let kept = checked(tree, RemittanceShape.documents, path), case .list(let all) = kept, !all.isEmpty else {
      return nil
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(kept), as: UTF8.self)
  }

  /// - Returns: nil for what says nothing, or was refused.
  private mutating func checked(_ tree: RemittanceTree, _ shape: RemittanceShape, _ path: String) -> RemittanceTree? {
    switch (shape, tree) {
    case (.object(let shapes, let required), .object(let members)):
      return object(members, shapes, required, path)
    case (.list(let entry, let max), .list(let entries)):
      if entries.count > max { refuse(path, "too-many", "At most \(max).") }
      return .list(entries.prefix(max).enumerated().compactMap { checked($1, entry, "\(path)[\($0)]") })
    case (.object, _), (.list, _):
      refuse(path, "type", "Not of the form that it has in ISO 20022.")
      return nil
    case (_, .text(let text)):
      guard let text = InputCheck.clean(text) else { return nil }
      guard let message = Self.fault(text, shape) else { return .text(text) }
      refuse(path, "form", message)
      return nil
    default:
      refuse(path, "type", "Text.")
      return nil
    }
  }

  private mutating func object(
    _ members: [String: RemittanceTree], _ shapes: [String: RemittanceShape], _ required: Set<String>, _ path: String
  ) -> RemittanceTree? {
    var kept: [String: RemittanceTree] = [:]
    for (name, shape) in shapes.sorted(by: { $0.key < $1.key }) {
      guard let member = members[name], member != .nothing else {
        if required.contains(name) { refuse("\(path).\(name)", "required", "This member is required.") }
        continue
      }
      kept[name] = checked(member, shape, "\(path).\(name)")
    }
    return kept.isEmpty && required.isEmpty ? nil : .object(kept)
  }

  private static func fault(_ text: String, _ shape: RemittanceShape) -> String? {
    switch shape {
    case .text(let max):
      // Of controls the end of a line is taken.
      let isFit =
        text.unicodeScalars.count <= max
        && text.split(separator: "\n").allSatisfy { DisplayedText.isPlain(String($0)) }
      return isFit ? nil : "At most \(max) characters that can be seen."
    case .code(let codes): return codes.contains(text) ? nil : "One of \(codes.sorted().joined(separator: ", "))."
    case .day: return WireDate(text) == nil ? "A day such as 2021-08-19." : nil
    case .decimal:
      return text.utf8.count <= 19 && text.wholeMatch(of: /-?[0-9]+(\.[0-9]+)?/) != nil
        ? nil : "Decimal digits, with a point at most."
    case .currency: return Currency.with(code: text) == nil ? "A currency of ISO 4217." : nil
    case .list, .object: return nil
    }
  }

  private mutating func refuse(_ path: String, _ code: String, _ message: String) {
    fields.append(.init(path, code, message))
  }
}

/// The part of JSON that remittance is made of. Amounts are text, so that they do not become binary
/// fractions.
indirect enum RemittanceTree: Sendable, Equatable, Codable {
  case text(String)
  case list([RemittanceTree])
  case object([String: RemittanceTree])
  /// As good as absent.
  case nothing
  /// A number or a truth value: nowhere in a document.
  case other

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .nothing
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let list = try? container.decode([RemittanceTree].self) {
      self = .list(list)
    } else if let members = try? container.decode([String: RemittanceTree].self) {
      self = .object(members)
    } else {
      self = .other
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .list(let list): try container.encode(list)
    case .object(let members): try container.encode(members)
    case .nothing, .other: try container.encodeNil()
    }
  }
}
