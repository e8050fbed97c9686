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

func fuzz(_ bytes: Data) {
  do {
    _ = try StrictJSON.decode(Body.self, from: bytes)
  } catch {
    precondition(error is Problem)
  }
  _ = try? StrictJSON.decode(Body.self, from: bytes, ignoringUnknown: true)
}
