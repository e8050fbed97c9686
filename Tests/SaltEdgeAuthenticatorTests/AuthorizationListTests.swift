// SPDX-License-Identifier: Apache-2.0

import GatehouseWire
import SaltEdgeWire
import Testing

@testable import SaltEdgeAuthenticator

@Suite("Authenticator: the rules of the list")
struct AuthorizationListTests {
  private static let start: Int64 = 1_000_000_000

  private func at(_ seconds: Double) -> WireInstant {
    WireInstant(millisecondsSince1970: Self.start + Int64(seconds * 1000))
  }

  private func entry(_ id: String, _ state: AuthorizationState = .pending, created: Double = 0) -> ListedAuthorization {
    .open(
      Authorization(
        id: .init(connection: "g", id: id), title: "t", content: .init("x"), createdAt: at(created), expiresAt: at(100),
        state: state, code: "c"))
  }

  private func id(_ id: String) -> Authorization.ID { .init(connection: "g", id: id) }

  /// What a row in a state becomes by an entry; nil when it goes.
  private func state(
    of row: AuthorizationState?, after entry: ListedAuthorization?
  ) -> AuthorizationState? {
    var list = AuthorizationList(finalsShown: .seconds(4))
    if let row {
      list.merge([self.entry("1")], answered: ["g"], at: at(0))
      list.set(id("1"), row, at: at(1))
    }
    list.merge(entry.map { [$0] } ?? [], answered: ["g"], at: at(2))
    return list[id("1")]?.state
  }

  private static let rows: [AuthorizationState?] = [
    nil, .pending, .processing, .confirmed, .denied, .error, .timeOut, .unavailable,
  ]

  @Test("every row × every entry: what is over stays over, what was decided here is not undone, the rest follows")
  func table() {
    for row in Self.rows {
      let isFinal = row?.isFinal == true
      #expect(state(of: row, after: nil) == (isFinal ? row : nil))
      #expect(state(of: row, after: .withdrawn(id("1"))) == (isFinal ? row : nil))
      #expect(state(of: row, after: entry("1")) == (row ?? .pending))
      #expect(state(of: row, after: entry("1", .processing)) == (isFinal ? row : .processing))
      for end in [AuthorizationState.confirmed, .denied, .error, .timeOut, .unavailable] {
        #expect(state(of: row, after: .over(id("1"), end)) == (row == nil ? nil : isFinal ? row : end))
      }
    }
  }

  @Test("what was confirmed and went does not come back by an answer that was late, until it has expired anyway")
  func late() {
    var list = AuthorizationList(finalsShown: .seconds(4))
    list.merge([entry("1")], answered: ["g"], at: at(0))
    list.set(id("1"), .confirmed, at: at(1))
    list.merge([], answered: ["g"], at: at(5))
    #expect(list.shown().isEmpty)
    list.merge([entry("1")], answered: ["g"], at: at(6))
    #expect(list.shown().isEmpty)
    list.merge([entry("1")], answered: ["g"], at: at(100))
    #expect(list.shown().isEmpty)
  }

  @Test("an expired authorization is shown as such for four seconds")
  func expiry() {
    var list = AuthorizationList(finalsShown: .seconds(4))
    list.merge([entry("1"), entry("2")], answered: ["g"], at: at(0))
    list.set(id("2"), .processing, at: at(99))
    list.merge([entry("2", .processing)], answered: ["g"], at: at(100))
    // The bank is deciding on the second: that is no expiry.
    #expect(list[id("1")]?.state == .timeOut && list[id("2")]?.state == .processing)
    list.age(at: at(103.9))
    #expect(list.shown().count == 2)
    list.age(at: at(104))
    #expect(list.shown().map(\.id.id) == ["2"])
    // And when it is not listed any more there is nothing to wait for.
    list.merge([], answered: ["g"], at: at(105))
    #expect(list.shown().isEmpty)
  }

  @Test("the oldest first, and of a removed connection nothing")
  func order() {
    var list = AuthorizationList(finalsShown: .seconds(4))
    list.merge([entry("1", created: 2), entry("2", created: 1), entry("0", created: 2)], answered: ["g"], at: at(3))
    #expect(list.shown().map(\.id.id) == ["2", "0", "1"])
    list.drop(connection: "g")
    #expect(list.shown().isEmpty)
  }

  @Test("every word of the wire has its state, and what no version knows is not shown")
  func states() {
    let words = SaltEdgeV2.AuthorizationStatus.known.map { AuthorizationState($0) }
    #expect(
      words == [
        .pending, .processing, .processing, .processing, .confirmed, .denied, .error, .timeOut, .unavailable, nil,
      ])
    #expect(AuthorizationState(.init(rawValue: "new")) == nil)
  }
}
