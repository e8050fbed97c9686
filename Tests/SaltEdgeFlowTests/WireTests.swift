// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import SaltEdgeWire
import TestSupport
import Testing

@Suite("Salt Edge wire: what released apps need", .storeless)
struct WireTests {
  private func text(_ value: some Encodable) throws -> String {
    String(decoding: try WireJSON.encode(value), as: UTF8.self)
  }

  @Test("ids are read as numbers and as texts, and written as the place demands")
  func ids() throws {
    for sample in ["333", #""333""#] {
      let number = try WireJSON.decode([SaltEdge.NumberID].self, from: Data("[\(sample)]".utf8))
      let word = try WireJSON.decode([SaltEdge.TextID].self, from: Data("[\(sample)]".utf8))
      #expect(try text(number) == "[333]" && text(word) == #"["333"]"#)
    }
    #expect(try text([SaltEdge.NumberID("0123")]) == #"["0123"]"#)
    for bad in ["[1.5]", "[true]", "[null]", "[{}]"] {
      #expect(throws: (any Error).self) { try WireJSON.decode([SaltEdge.TextID].self, from: Data(bad.utf8)) }
    }
  }

  @Test("an action is read in the three spellings that banks use")
  func actionSpellings() throws {
    let item = #"{"connection_id":5,"key":"k","iv":"i","data":"d"}"#
    let spellings = [#""authorizations":[\#(item)]"#, #""authorizations":\#(item)"#, #""authorization":\#(item)"#]
    for spelling in spellings {
      let json = #"{"action_id":7,"user_id":"1","expires_at":"x",\#(spelling)}"#
      let action = try WireJSON.decode(SaltEdgeBank.Action.self, from: Data(json.utf8))
      #expect(action.actionID.text == "7" && action.authorizations.map(\.connectionID.text) == ["5"])
      #expect(try text(action).contains(#""authorizations":[{"#))
    }
    let none = #"{"action_id":7,"expires_at":"x"}"#
    #expect(throws: (any Error).self) { try WireJSON.decode(SaltEdgeBank.Action.self, from: Data(none.utf8)) }
  }

  @Test("a status that a later version sends is kept, and the words of this one say what they are")
  func statuses() {
    let known = SaltEdgeV2.AuthorizationStatus.known
    #expect(known.filter(\.isFinal) == [.confirmed, .denied, .error, .timeOut, .unavailable])
    #expect(known.filter(\.isProcessing) == [.processing, .confirmProcessing, .denyProcessing])
    #expect(known.filter(\.isClosed) == [.closed])
    #expect(!SaltEdgeV2.AuthorizationStatus(rawValue: "later").isKnown)
  }

  @Test("bytes of strangers are read or refused, and nothing else happens")
  func noise() {
    var state = UInt64(7)
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    let seed = Array(
      #"{"data":{"action_id":7,"user_id":"1","multiple":true,"expires_at":"x","authorizations":[{"connection_id":5,"key":"k","iv":"i","data":"d"}]},"exp":1900000000}"#
        .utf8)
    var read = 0
    for _ in 0..<5000 {
      var bytes = seed
      for _ in 0...next(4) {
        switch next(3) {
        case 0: bytes[next(bytes.count)] = UInt8(next(256))
        case 1: bytes.remove(at: next(bytes.count))
        default: bytes.insert(UInt8(next(256)), at: next(bytes.count))
        }
      }
      if (try? WireJSON.decode(SaltEdge.SignedBody<SaltEdgeBank.Action>.self, from: Data(bytes))) != nil { read += 1 }
    }
    #expect(read > 0 && read < 5000)
  }
}
