// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GatehouseTransport
internal import GatehouseWire

/// Every connection of the app, the oldest first.
struct ConnectionList: Codable, Sendable {
  private(set) var connections: [Connection] = []
  /// The device's, as the app told it last.
  var pushToken: String?

  var guids: Set<String> { Set(connections.map(\.guid)) }

  /// Setting nil removes it.
  subscript(guid: String) -> Connection? {
    get { connections.first { $0.guid == guid } }
    set {
      let place = connections.firstIndex { $0.guid == guid }
      switch (place, newValue) {
      case (let place?, let connection?): connections[place] = connection
      case (let place?, nil): connections.remove(at: place)
      case (nil, let connection?): connections.append(connection)
      case (nil, nil): break
      }
    }
  }

  /// A name that no other connection has: the bank's, or with a number behind it (§10.1).
  func freeName(_ name: String, except guid: String) -> String {
    let taken = Set(connections.filter { $0.guid != guid }.map(\.name))
    guard taken.contains(name) else { return name }
    // Of as many numbers as there are connections and one more, one is free.
    return (connections.count + 1...connections.count * 2 + 2).lazy.map { "\(name) (\($0))" }
      .first { !taken.contains($0) } ?? name
  }
}

/// Keeps the book as one sealed entry, so that it changes as a whole. Nothing of it is in memory between two uses.
struct ConnectionRecords: Sendable {
  private static let name = "saltedge.connections"

  let store: any DirectSecureStore
  private var index: KeyIndex { KeyIndex(store: store) }

  init(store: any DirectSecureStore) { self.store = store }

  /// - Throws: `store`, also for what is no book.
  func load() throws(AuthenticatorError) -> ConnectionList {
    do throws(SecureStoreError) {
      guard let data = try store.read(Self.name) else { return ConnectionList() }
      guard let list = try? WireJSON.decode(ConnectionList.self, from: data) else { throw SecureStoreError(.tampered) }
      return list
    } catch { throw AuthenticatorError(error) }
  }

  /// Changes the book; when this returns the change is durable. Every connection whose keys may lie in the store is in
  /// the index at any time: it is there before its record is, and stays until its record is gone.
  func change(_ change: (inout ConnectionList) -> Void) throws(AuthenticatorError) {
    var list = try load()
    let (known, before) = (try index.load(), list.guids)
    change(&list)
    try index.keep(known.union(before).union(list.guids))
    do throws(SecureStoreError) {
      guard let data = try? WireJSON.encode(list) else { throw SecureStoreError(.unavailable) }
      try store.write(data, as: Self.name)
    } catch { throw AuthenticatorError(error) }
    try index.keep(known.union(list.guids).subtracting(before.subtracting(list.guids)))
  }

  /// Every connection that the store may hold keys of, also when the book cannot be read any more.
  /// - Throws: `store` when the device does not let anybody read now.
  func connectionsWithKeys() throws(AuthenticatorError) -> Set<String> {
    let known = try index.load()
    do throws(AuthenticatorError) { return known.union(try load().guids) } catch {
      guard error.isUnreadableStore else { throw error }
      return known
    }
  }

  /// The index goes last, so that what was interrupted can be repeated.
  func forget() throws(AuthenticatorError) {
    do throws(SecureStoreError) { try store.remove(Self.name) } catch { throw AuthenticatorError(error) }
    try index.keep([])
  }
}
