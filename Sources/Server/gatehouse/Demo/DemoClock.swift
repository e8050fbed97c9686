import Kit
import Synchronization

/// The server's clock of a demonstration: the machine's, put forward where a story says that time passes.
final class DemoClock: Sendable {
  private let ahead = Mutex(Duration.zero)

  var world: World { World(now: { self.now }, random: World.live.random) }

  var now: Instant { ahead.withLock { World.live.now() + $0 } }

  func advance(by duration: Duration) { ahead.withLock { $0 += duration } }
}
