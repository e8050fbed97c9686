import Storage

/// Listens to one signal of the store for as long as it is kept, and rings its bell.
///
/// A stream cannot be left waiting for a while and then be waited for again; a bell can.
package final class SignalEar: Sendable {
  package let bell = Bell()
  private let listening: Task<Void, Never>

  package init(_ database: any SQLDatabase, _ name: String) {
    let (signals, bell) = (database.signals(name), bell)
    listening = Task { for await _ in signals { bell.ring() } }
  }

  deinit { listening.cancel() }
}
