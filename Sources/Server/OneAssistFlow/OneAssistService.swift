// SPDX-License-Identifier: Apache-2.0

import Delivery
import Evidence
import Foundation
import GatehouseWire
import HTTP
import Kit
import OneAssistCore
import Storage

/// Builds the commands of OneAssist from what they use.
package struct OneAssistService: Sendable {
  package let core: CoreDependencies
  package let policy: OneAssistPolicy
  let messenger: Messenger
  /// Where messages are kept for developers; an erasure empties it too.
  package let devOutbox: DevOutbox?
  let photos: PhotoInspector
  /// Reads the text of a picture; nil where no engine for it is installed.
  let recogniseText: (@Sendable (Data) async throws -> String)?
  let readCode: ScreenCodeReader
  let pinCodes: PinCodeDirectory
  let types: TypeDirectory
  let blacklist: Blacklist
  let partnerClient: PartnerClient
  let erasures: SubjectErasures
  let rates: NodeRateLimits

  /// - Parameter sealedColumns: of all modules, which a proof of an erasure counts.
  package init(
    core: CoreDependencies, policy: OneAssistPolicy, messenger: Messenger, devOutbox: DevOutbox?,
    photos: PhotoInspector, recogniseText: (@Sendable (Data) async throws -> String)? = nil,
    readCode: ScreenCodeReader = .absent, pinCodes: PinCodeDirectory = .circles, types: TypeDirectory = .synthetic,
    blacklist: Blacklist = .absent, partnerClient: PartnerClient,
    sealedColumns: [SealedColumn] = OneAssistModule.sealedColumns + DeliveryModule.sealedColumns
  ) {
    (self.core, self.policy, self.messenger, self.devOutbox) = (core, policy, messenger, devOutbox)
    (self.photos, self.recogniseText, self.readCode) = (photos, recogniseText, readCode)
    (self.pinCodes, self.types, self.blacklist) = (pinCodes, types, blacklist)
    (self.partnerClient, erasures) = (partnerClient, SubjectErasures(core, columns: sealedColumns))
    rates = NodeRateLimits(world: core.world)
  }

  /// - Parameter tenantsOfTwo: where two persons decide on a membership.
  package init(
    _ settings: OneAssistSettings, port: Int, isSandbox: Bool, tenantsOfTwo: Set<String>, core: CoreDependencies,
    evidence: EvidenceReader, messenger: Messenger, devOutbox: DevOutbox, webhooks: Webhooks,
    sealedColumns: [SealedColumn]
  ) throws {
    var policy = settings.policy(port: port, isSandbox: isSandbox)
    policy.tenantsOfTwo = tenantsOfTwo
    self.init(
      core: core, policy: policy, messenger: messenger,
      devOutbox: devOutbox, photos: .evidence(evidence), recogniseText: PictureReading.text(evidence),
      readCode: .evidence(evidence), pinCodes: try settings.pinCodes(),
      types: try settings.types(isSandbox: isSandbox), blacklist: try settings.blacklist(),
      partnerClient: .webhooks(webhooks, database: core.database), sealedColumns: sealedColumns)
  }

  package var partners: Partners { Partners(core: core) }
  package var reviews: ReviewCommands {
    ReviewCommands(core: core, policy: policy, memberships: memberships, screens: screens)
  }
  package var erasure: MembershipErasure {
    MembershipErasure(core: core, devOutbox: devOutbox, erasures: erasures)
  }
  package var exporter: MembershipExporter {
    MembershipExporter(core: core, devOutbox: devOutbox, memberships: memberships)
  }
  package var secondPhone: SecondPhone {
    SecondPhone(core: core, policy: policy, rates: rates, links: links, photos: uploads)
  }
  package var effects: OneAssistEffects {
    OneAssistEffects(
      core: core, partnerClient: partnerClient, links: links, memberships: memberships, erasure: erasure)
  }

  var memberships: MembershipService { MembershipService(core: core, policy: policy) }
  var tokens: SDKTokens { SDKTokens(core: core, policy: policy) }
  var orders: OrderReader { OrderReader(core: core, memberships: memberships) }
  var screens: ScreenCommands { ScreenCommands(core: core, policy: policy, memberships: memberships) }
  var sales: PartnerCommands { PartnerCommands(core: core, policy: policy, memberships: memberships, tokens: tokens) }
  var leads: LeadCommands {
    LeadCommands(
      core: core, policy: policy, pinCodes: pinCodes, types: types, blacklist: blacklist, memberships: memberships)
  }
  var links: LinkCommands {
    LinkCommands(
      core: core, policy: policy, messenger: messenger, memberships: memberships,
      answers: IdempotentAnswers(database: core.database, idempotency: core.idempotency, world: core.world))
  }
  var uploads: PhotoCommands {
    PhotoCommands(
      core: core, policy: policy, rates: rates, inspector: photos, readCode: readCode, memberships: memberships,
      links: links, screens: screens)
  }
}

extension World {
  /// 256 random bits, base64url.
  func secret() -> String { random(32).base64URL }
}

extension Vault {
  func digest(token: String) -> String { digest(token, for: "oneassist token") }
  func digest(link: String) -> String { digest(link, for: "oneassist link") }
  func digest(number: SecondMobileNumber) -> String { digest(number.e164, for: "oneassist number") }
  func digest(imei: IMEI) -> String { digest(imei.digits, for: "oneassist imei") }
  func digest(file: Data, of membership: Membership.ID) -> String {
    digest("\(membership) \(file.sha256Hex)", for: "oneassist file")
  }
}

extension Audit {
  /// Appends one line to the chain of a membership.
  func note(
    _ action: String, _ membership: Membership.ID, by actor: String, _ facts: [String: String] = [:],
    in tx: any SQLTransaction
  ) throws {
    try append("oneassist.\(action)", to: membership.chain, by: actor, facts: facts, in: tx)
  }
}

extension Membership.ID {
  /// The membership's chain of the audit log.
  package var chain: String { "oneassist-\(self)" }
}

extension CoreDependencies {
  var today: WireDate { .ofPlans(at: world.now()) }
}

extension WireDate {
  /// Plans are Indian: their days are those of India, 5 h 30 min ahead of UTC all year.
  private static let planOffset = Duration.minutes(330)

  static func ofPlans(at instant: Instant) -> WireDate {
    let local = (instant + planOffset).milliseconds
    return WireDate(daysSince1970: Int(local >= 0 ? local / 86_400_000 : (local - 86_399_999) / 86_400_000))
  }

  /// When this day of a plan is over.
  var endInPlans: Instant { Instant(milliseconds: Int64(daysSince1970 + 1) * 86_400_000) - Self.planOffset }
}
