import Delivery
import Synchronization

/// Whoever delivers to devices: it keeps what it is given, and answers what the test wants.
final class PushRecorder: Sendable {
  enum Ending: Sendable {
    case outcome(PushGateway.Outcome)
    case failure(any Error)
  }

  private let state = Mutex<(sent: [PushMessage], endings: [Ending])>(([], []))

  var sent: [PushMessage] { state.withLock { $0.sent } }

  /// What happens next; afterwards everything is accepted.
  func next(_ endings: Ending...) { state.withLock { $0.endings += endings } }

  var gateway: PushGateway {
    PushGateway { [self] message in
      let ending = state.withLock { state -> Ending in
        state.sent.append(message)
        return state.endings.isEmpty ? .outcome(.accepted) : state.endings.removeFirst()
      }
      switch ending {
      case .outcome(let outcome): return outcome
      case .failure(let error): throw error
      }
    }
  }
}
