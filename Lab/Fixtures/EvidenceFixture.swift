// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import RubixFlow
import RubixWire
import Storage

/// What cameras would have left of applications that no camera made: the rows of a capture session, of three selfies
/// and of a passport, and the cases of those whose next step is a member of staff's. For measurements of large stores.
package struct EvidenceFixture: Sendable {
  /// Applications in one transaction of `add`.
  package static let batchMax = 500

  private let core: CoreDependencies

  package init(_ service: RubixService) { core = service.core }

  /// How many applications the store has.
  package func applications() async throws -> Int {
    try await core.database.read { try EvidenceFixtureStore($0).applications() }
  }

  /// - Parameters:
  ///   - applications: ids, at most `batchMax`; each gets its evidence once.
  ///   - keeping: how many of them, from the first, keep their pictures as sealed objects. Those of the others are
  ///     gone, as retention leaves them: the rows stay.
  ///   - pictureBytes: of each object, before it is sealed.
  package func add(
    to applications: [String], tenant: Tenant, keeping: Int = 0, pictureBytes: Int = 4096
  ) async throws {
    precondition(applications.count <= Self.batchMax, "A transaction has its size.")
    let now = core.world.now()
    let kept = try await keep(Array(applications.prefix(keeping)), tenant, pictureBytes)
    try await core.database.write(retrying: .outdated) { tx in
      let store = EvidenceFixtureStore(tx)
      for application in applications {
        let session = core.world.randomUUID()
        try store.insert(session: session, of: application, at: now)
        guard let pictures = kept[application] else {
          for shot in Self.shots { try store.insert(erased: core.world.randomUUID(), shot, session, application, now) }
          continue
        }
        for (shot, picture) in zip(Self.shots, pictures) {
          let reading =
            try shot.isDocument
            ? core.vault.seal(
              Data(Self.reading.utf8), context: StoredReading.context(.init(rawValue: picture.id)),
              of: Self.subject(application, tenant), in: tx) : nil
          try store.insert(picture, shot, reading: reading, session, application, now)
        }
      }
      try store.insertCases(of: applications, tenant: tenant.id)
    }
  }

  /// An object that is stored, and waits for its row.
  struct Picture: Sendable {
    let id: String
    let sha256: String
  }

  /// What is taken of a person.
  struct Shot: Sendable {
    let type: DocumentType
    let subType: SelfieSubType?
    var isDocument: Bool { subType == nil }
  }

  private static let shots: [Shot] =
    SelfieSubType.known.map { Shot(type: .selfie, subType: $0) } + [Shot(type: .passport, subType: nil)]

  /// Objects are durable before the rows that name them.
  private func keep(_ applications: [String], _ tenant: Tenant, _ bytes: Int) async throws -> [String: [Picture]] {
    var kept: [String: [Picture]] = [:]
    for application in applications {
      let key = try await core.database.write(retrying: .outdatedOrDuplicate) { [core] tx in
        try core.vault.subjectKey(of: Self.subject(application, tenant), in: tx)
      }
      for _ in Self.shots {
        let (id, picture) = (core.world.randomUUID(), Data(core.world.random(bytes)))
        try await core.blobs.put(id, core.vault.seal(picture, context: CapturedImage.context(id), under: key))
        kept[application, default: []].append(Picture(id: id, sha256: picture.sha256Hex))
      }
    }
    return kept
  }

  private static func subject(_ application: String, _ tenant: Tenant) -> KeySubject {
    KeySubject(application, of: TenantID(RubixModule.name, tenant.id))
  }

  /// A passport's page on which nothing was found amiss, as the worker keeps it.
  package static let reading = """
    {"expected":"PASSPORT","detected":"PASSPORT","page":{"width":1500,"height":1056,"outlined":true,\
    "corners":[10,10,1490,10,1490,1046,10,1046]},"faces":{"faces":[],"detector":"none"},\
    "quality":{"sharpness":40,"glare":0,"brightness":140,"black_share":0,"white_share":0,"contrast":50,"colour":12,\
    "subject_width":1500,"crop":"ok","issues":[]},"checks":[]}
    """
}
