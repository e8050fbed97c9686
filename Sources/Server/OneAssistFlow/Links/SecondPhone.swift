// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Kit
import OneAssistCore
import Storage

/// What the second phone's browser shows and sends: the link is all that it knows (oneassist §6.1). It is told nothing
/// about the person, and of the phone make and model only.
package struct SecondPhone: Sendable {
  let core: CoreDependencies
  let policy: OneAssistPolicy
  let rates: NodeRateLimits
  let links: LinkCommands
  let photos: PhotoCommands

  package struct View: Sendable {
    package let make: String
    package let model: String
    /// In the order to take them in.
    package let photos: [RequiredView]
    /// Whether no photo may be taken now.
    package let isDone: Bool
    /// Whether a reviewer accepted the photos.
    package let isAccepted: Bool
    /// Whether the membership ended without cover.
    package let isOver: Bool
  }

  package struct RequiredView: Sendable {
    package let name: String
    package let displayName: String
    package let guide: String
    package let panel: String
    package let isMandatory: Bool
    package let status: DocumentStatus
    /// Of a refused photo.
    package let reason: String?
    /// Whether it may be taken now.
    package let isOpen: Bool
  }

  /// - Throws: `Problem` not-found; gone LINK_EXPIRED.
  package func look(_ token: String, from address: String?) async throws -> View {
    try await guarded(address) {
      try await core.database.look { tx in
        let membership = try links.membership(token, in: tx)
        return Self.view(membership, try DocumentStore(tx).current(of: membership.id))
      }
    }
  }

  /// Refuses what will be refused whatever the photo shows, before it is read.
  /// - Throws: `Problem` of the link or the membership.
  package func admit(_ name: String, by token: String, from address: String?) async throws {
    try await guarded(address) { try await photos.admit(name, from: .secondPhone(token: token)) }
  }

  /// - Throws: `Problem` of the link or the photo; CODE_MISMATCH and CODE_EXPIRED of a photo that was kept as refused.
  package func take(_ name: String, _ photo: Data, by token: String, from address: String?) async throws {
    let outcome = try await guarded(address) {
      try await photos.upload(name, photo, from: .secondPhone(token: token))
    }
    if let problem = outcome.problem { throw problem }
  }

  /// Guessing links costs their limit.
  private func guarded<Value>(_ address: String?, _ work: () async throws -> Value) async throws -> Value {
    do { return try await work() } catch let problem as Problem where problem == .notFound {
      if let address { try rates.spend(policy.refusals, by: ClientNetwork.subscriber(address)) }
      throw problem
    }
  }

  private static func view(_ membership: Membership, _ photos: [Photo]) -> View {
    let isOpen = ActivationCall.sendUploadLink.statuses.contains(membership.status)
    return View(
      make: membership.content.make, model: membership.content.model,
      photos: RequiredPhoto.all.filter(\.isTakenBySecond).map { required in
        let photo = photos.first { $0.name == required.name }
        return RequiredView(
          name: required.name.rawValue, displayName: required.displayName, guide: required.guide,
          panel: required.panel, isMandatory: required.isMandatory, status: photo?.status ?? .missing,
          reason: photo?.status == .refused ? photo?.reason : nil, isOpen: isOpen && photo?.status != .accepted)
      }, isDone: !isOpen, isAccepted: [.queued, .approved].contains(membership.status), isOver: membership.hasEnded)
  }
}
