// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import Kit

/// JSON decoding that refuses members which the type does not know, and says where each fault is (RFC 6901 pointers).
package enum StrictJSON {
  /// - Parameter ignoringUnknown: where a published surface ignores unknown members.
  /// - Throws: `Problem` invalid-json, unknown-field or validation-failed.
  package static func decode<Value: Decodable>(
    _ type: Value.Type, from data: Data, ignoringUnknown: Bool = false
  ) throws -> Value {
    // The general way reads the same and takes many times as long.
    if let plain = type as? any PlainJSONReadable.Type,
      let value = PlainJSONReader.read(data, { plain.init(plain: &$0) }) as? Value
    {
      return value
    }
    do { try JSONText.check(data) } catch { throw Problem.invalidJSON(error) }
    guard let tree = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) else {
      throw Problem.invalidJSON()
    }
    // Every request is an object; a type without members would take anything.
    guard tree is [String: Any] else {
      throw Problem.validation([Problem.Field("", tree is NSNull ? "required" : "type", "The body is a JSON object.")])
    }
    let ledger = MemberLedger()
    let value: Value
    do {
      value = try Value(from: TreeDecoder(tree, ledger: ledger))
    } catch let problem as Problem {
      throw problem
    } catch let error as DecodingError {
      let most = data.count <= thoroughBytesMax ? faultsMax : 1
      throw Problem.validation(faults(of: type, in: tree, after: fault(error), atMost: most))
    }
    let unknown = ignoringUnknown ? [] : ledger.unknownPointers()
    guard unknown.isEmpty else {
      throw Problem(.badRequest, "unknown-field", "The body has members that this call does not know.").with {
        $0.fields = unknown.prefix(faultsMax).map { Problem.Field($0, "unknown-field", "This member is not known.") }
      }
    }
    return value
  }

  /// Faults that an answer names.
  private static let faultsMax = 20
  /// Bytes of a body that is read once more for each fault: forms have them, pictures do not.
  private static let thoroughBytesMax = 32_768

  /// Every fault, so that an app can show all at once (finaptic §10.7): the body is read again as if the members that
  /// were at fault were not there, or were empty where the type needs them.
  private static func faults<Value: Decodable>(
    of type: Value.Type, in tree: Any, after first: Problem.Field, atMost most: Int
  ) -> [Problem.Field] {
    var found = [first]
    while found.count < most, found.last?.pointer.isEmpty == false {
      let ledger = MemberLedger(leavingOut: Set(found.map(\.pointer)))
      do {
        _ = try Value(from: TreeDecoder(tree, ledger: ledger))
        return found
      } catch let error as DecodingError {
        let next = fault(error)
        // An empty member is no value of its type: what stands behind it cannot be read.
        guard !found.contains(where: { $0.pointer == next.pointer || next.pointer.hasPrefix($0.pointer + "/") }) else {
          return found
        }
        found.append(next)
      } catch { return found }
    }
    return found
  }

  private static func fault(_ error: DecodingError) -> Problem.Field {
    let (code, message, context): (String, String, DecodingError.Context) =
      switch error {
      case .keyNotFound(let key, let context):
        ("required", "This member is required.", context.appending(key))
      case .valueNotFound(_, let context): ("required", "This member is required.", context)
      case .typeMismatch(_, let context): ("type", "This member has the wrong type.", context)
      case .dataCorrupted(let context): ("format", "This member does not have the right form.", context)
      @unknown default:
        ("format", "The body does not have the right form.", .init(codingPath: [], debugDescription: ""))
      }
    return Problem.Field(JSONPointer.text(context.codingPath), code, message)
  }
}

extension Problem {
  /// A body that is not JSON, or not in the form of it that every reader takes for the same.
  package static func invalidJSON(_ fault: JSONText.Fault? = nil) -> Problem {
    let text =
      switch fault {
      case nil, .syntax: "The body is not JSON."
      case .encoding: "The body is not UTF-8."
      case .depth: "The body is nested too deeply."
      case .repeatedName: "An object of the body has two members of one name."
      case .longName: "A name in the body is longer than \(JSONText.nameBytesMax) bytes."
      case .combiningMarks:
        "A text in the body has more than \(StreamSafeText.nonStartersMax) combining marks in a row."
      }
    return Problem(.badRequest, "invalid-json", text)
  }
}

extension DecodingError.Context {
  fileprivate func appending(_ key: any CodingKey) -> DecodingError.Context {
    DecodingError.Context(codingPath: codingPath + [key], debugDescription: "")
  }
}

enum JSONPointer {
  static func text(_ member: String) -> String {
    "/" + member.replacing("~", with: "~0").replacing("/", with: "~1")
  }

  static func text(_ path: [any CodingKey]) -> String {
    path.map { text($0.stringValue) }.joined()
  }

  /// The member that a pointer ends with, without escapes.
  static func lastPart(of pointer: String) -> String {
    let part = pointer.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? ""
    return part.replacing("~1", with: "/").replacing("~0", with: "~")
  }
}
