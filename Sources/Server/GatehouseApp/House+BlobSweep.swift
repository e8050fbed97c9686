import Kit
import Synchronization

/// Says when something is due that is done now and then.
final class Periodic: Sendable {
  private let world: World
  private let next: Mutex<Instant?> = Mutex(nil)

  /// Due from the start.
  init(_ world: World) { self.world = world }

  var isDue: Bool { next.withLock { $0.map { $0 <= world.now() } ?? true } }

  func wait(_ duration: Duration) { next.withLock { $0 = world.now() + duration } }
}

extension House {
  private static let blobSweepInterval = Duration.hours(6)
  private static let blobSweepRetry = Duration.minutes(10)

  /// Deletes objects that no row names. A caretaker of its own: a walk through a large bucket takes minutes.
  package var blobCaretaker: Caretaker {
    let (database, logger, periodic) = (database, logger, Periodic(world))
    let sweep = BlobSweep(
      parts.blobs,
      isReferenced: { keys in
        try await database.read { tx in
          try KeptImages.rooms.reduce(into: []) { try $0.formUnion($1.referenced(keys, tx)) }
        }
      }, world: world)
    let job = Caretaker.Job("blobs") {
      guard periodic.isDue else { return }
      periodic.wait(Self.blobSweepRetry)
      let counts = try await sweep.run()
      periodic.wait(Self.blobSweepInterval)
      logger.info(
        "blobs swept",
        metadata: [
          "seen": "\(counts.seen)", "young": "\(counts.young)", "referenced": "\(counts.referenced)",
          "deleted": "\(counts.deleted)", "unfinished": "\(counts.unfinished)",
        ])
    }
    return Caretaker(jobs: [job], logger: logger)
  }
}
