// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

/// A body with one member of every kind that bodies have.
private struct Body: Decodable {
  struct Inner: Decodable {
    let name: String
    let inner: [Inner]?
  }
  let text: String?
  let number: Int64?
  let fraction: Double?
  let small: UInt8?
  let isSet: Bool?
  let list: [Inner]?
  let map: [String: Inner]?
}

/// A form that is read without a tree where nothing in it is special.
private struct Plain: PlainJSONReadable {
  struct Entry: Decodable, Equatable {
    let name: String
    let note: String?
  }
  let text: String
  let list: [Entry]

  init?(plain reader: inout PlainJSONReader) {
    var (text, list) = (String?.none, [Entry]())
    let isRead = reader.object(["text", "list"]) { name, reader in
      guard name == 1 else {
        text = reader.text()
        return true
      }
      return reader.list { reader in
        var (name, note) = (String?.none, String?.none)
        let isRead = reader.object(["name", "note"]) { place, reader in
          let text = reader.text()
          if place == 0 { name = text } else { note = text }
          return text != nil
        }
        guard isRead, let name else { return false }
        list.append(Entry(name: name, note: note))
        return true
      }
    }
    guard isRead, let text, !list.isEmpty else { return nil }
    (self.text, self.list) = (text, list)
  }
}

/// The same for the general reader.
private struct General: Decodable {
  let text: String
  let list: [Plain.Entry]
}

func fuzz(_ bytes: Data) {
  do {
    _ = try StrictJSON.decode(Body.self, from: bytes)
  } catch {
    precondition(error is Problem)
  }
  _ = try? StrictJSON.decode(Body.self, from: bytes, ignoringUnknown: true)
  if let plain = PlainJSONReader.read(bytes, { Plain(plain: &$0) }) {
    let general = try? StrictJSON.decode(General.self, from: bytes)
    precondition(general?.text == plain.text && general?.list == plain.list)
  }
}
