internal import Foundation
internal import GatehouseTransport
internal import GatehouseWire

/// Every connection of the app, the oldest first.
struct ConnectionBook: Codable, Sendable {
  private(set) var connections: [Connection] = []
  /// The device's, as the app told it last.
  var pushToken: String?

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

  /// - Throws: `store`, also for what is no book.
  func load() throws(AuthenticatorError) -> ConnectionBook {
    do throws(SecureStoreError) {
      guard let data = try store.read(Self.name) else { return ConnectionBook() }
      guard let book = try? WireJSON.decode(ConnectionBook.self, from: data) else { throw SecureStoreError(.tampered) }
      return book
    } catch { throw AuthenticatorError(error) }
  }

  /// Changes the book; when this returns the change is durable.
  func change(_ change: (inout ConnectionBook) -> Void) throws(AuthenticatorError) {
    var book = try load()
    change(&book)
    do throws(SecureStoreError) {
      guard let data = try? WireJSON.encode(book) else { throw SecureStoreError(.unavailable) }
      try store.write(data, as: Self.name)
    } catch { throw AuthenticatorError(error) }
  }

  func forget() throws(AuthenticatorError) {
    do throws(SecureStoreError) { try store.remove(Self.name) } catch { throw AuthenticatorError(error) }
  }
}
