import Storage

/// Listens to one signal of the store for as long as it is kept, and rings its notifier.
///
/// A stream cannot be left waiting for a while and then be waited for again; a notifier can.
package final class SignalListener: Sendable {
  package let notifier = Notifier()
  private let listening: Task<Void, Never>

  package init(_ database: any SQLDatabase, _ name: String) {
    let (signals, notifier) = (database.signals(name), notifier)
    listening = Task { for await _ in signals { notifier.notify() } }
  }

  deinit { listening.cancel() }
}
