// SPDX-License-Identifier: Apache-2.0

import Delivery
import FinapticWire
import Foundation
import Kit
import Storage

/// Events of applications for tenants' servers (finaptic §12). Each event is one row of the outbox, with its id
/// and time made when it happened; its body is made of the store when it is sent.
struct OnboardingEvents: Sendable {
  static let topic = "finaptic.tell"

  let core: CoreDependencies
  let publisher: EventPublisher

  // What docs/reference/webhook-events.md tells of them.
  // webhook KYCFailed: a validation failed
  // webhook Rejected: the application ended: no retry is left, the reason is final, or by policy
  // webhook Canceled: the applicant gave up
  // webhook CustomerOnboarded: the customer exists
  // webhook DataConfirmed: with CustomerOnboarded: what the applicant said
  // webhook ProductOnboarded: the products are open

  /// - Parameter type: as the published interface names it.
  static func owed(_ type: String, _ application: OnboardingApplication, world: World) -> OwedEffect {
    let codes = application.codes.map(\.rawValue).joined(separator: ",")
    return OwedEffect(
      topic, subject: application.id.rawValue,
      payload: "\(world.randomUUID()) \(type) \(world.now().milliseconds) \(codes)")
  }

  @Sendable
  func perform(_ item: OutboxItem) async throws {
    let words = item.payload.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard words.count == 4, let milliseconds = Int64(words[2]) else { throw Unreadable() }
    let found = try await core.database.read {
      tx -> (OnboardingApplication, ClientProfile?, [FinapticAPI.OnboardedProduct])? in
      guard let application = try OnboardingStore(tx, vault: core.vault).find(.init(rawValue: item.subject)) else {
        return nil
      }
      let products = try OpenedProductStore(tx).all(of: application.id).map {
        FinapticAPI.OnboardedProduct(productId: $0.id, sourceDomain: $0.sourceDomain)
      }
      let profile = try application.customer.flatMap { try ClientProfileStore(tx, vault: core.vault).find($0) }
      return (application, profile, products)
    }
    guard let (application, profile, products) = found else { return }
    var event = OnboardingEvent(
      eventId: words[0], eventType: words[1], eventTime: .init(millisecondsSince1970: milliseconds),
      tenantId: application.tenant, applicationId: application.id.rawValue, bundleId: application.bundle)
    event.failureStatusCodes = words[3].isEmpty ? nil : words[3].split(separator: ",").map(String.init)
    event.customerId = application.customer
    if words[1] == "ProductOnboarded" { event.products = products }
    if words[1] == "DataConfirmed" { event.data = .init(application, profile) }
    try await publisher.publish(application.tenant, event)
  }

  struct Unreadable: FinalFailure {}
}

/// An event's body. The same event has the same id however often it is sent.
package struct OnboardingEvent: Codable, Sendable, Equatable {
  package let eventId: String
  /// As the published interface names it: `CustomerOnboarded`.
  package let eventType: String
  package let eventTime: FinapticAPI.Instant
  package let tenantId: Int
  package let applicationId: String
  package let bundleId: String
  package var customerId: String?
  package var failureStatusCodes: [String]?
  package var products: [FinapticAPI.OnboardedProduct]?
  /// Of `DataConfirmed`: what counts of what the applicant said. Documents only by their kinds.
  package var data: ConfirmedData?

  enum CodingKeys: String, CodingKey {
    case products, data
    case eventId = "event_id"
    case eventType = "event_type"
    case eventTime = "event_time"
    case tenantId = "tenant_id"
    case applicationId = "application_id"
    case bundleId = "bundle_id"
    case customerId = "customer_id"
    case failureStatusCodes = "failure_status_codes"
  }
}

/// The whole application, without what identifies the document that was shown.
package struct ConfirmedData: Codable, Sendable, Equatable {
  package let personalDetails: FinapticAPI.PersonalDetails?
  package let contactDetails: FinapticAPI.ContactDetails?
  package let accountDetails: FinapticAPI.AccountUsage?
  package let addresses: [FinapticAPI.Address]
  package let consents: [FinapticAPI.Consent]
  package let disclosures: [FinapticAPI.Disclosure]
  package let residency: FinapticAPI.Residency?
  package let employment: FinapticAPI.Employment?
  package let communicationPreference: String?
  package let communicationLanguage: String?
  /// Codes of DOCUMENT_TYPE.
  package let documentTypes: [String]

  /// - Parameter profile: of the customer. Without a check of identity it says who a verified one is, whatever the
  ///   application says.
  init(_ application: OnboardingApplication, _ profile: ClientProfile?) {
    let content = application.content
    let known = application.needsKYC ? nil : profile.flatMap { $0.isVerified ? $0 : nil }
    personalDetails = known.map(\.personal) ?? content.personal
    contactDetails = known.map(\.contact) ?? content.contact
    residency = known.map(\.residency) ?? content.residency
    addresses = known?.addresses ?? content.addresses
    (accountDetails, employment) = (content.usage, content.employment)
    (consents, disclosures) = (content.consents, content.disclosures)
    communicationPreference = content.preferences?.preference
    communicationLanguage = content.preferences?.language
    documentTypes = (content.evidence.documents?.submitted ?? []).compactMap(\.documentType)
  }

  enum CodingKeys: String, CodingKey {
    case addresses, consents, disclosures, residency, employment
    case personalDetails = "personal_details"
    case contactDetails = "contact_details"
    case accountDetails = "account_details"
    case communicationPreference = "communication_preference"
    case communicationLanguage = "communication_language"
    case documentTypes = "document_types"
  }
}

/// Sends events to tenants' servers. Repetitions of an event carry the same id.
package struct EventPublisher: Sendable {
  /// A tenant without an endpoint asks instead.
  package let publish: @Sendable (_ tenant: Int, OnboardingEvent) async throws -> Void

  package init(publish: @escaping @Sendable (Int, OnboardingEvent) async throws -> Void) { self.publish = publish }

  /// There is no way out: events wait.
  package static let absent = EventPublisher { _, _ in throw Problem.unavailable }

  /// To the tenant's endpoints, signed as Standard Webhooks are. Nothing is told of a user who was erased.
  package static func webhooks(_ webhooks: Webhooks, database: any SQLDatabase) -> EventPublisher {
    EventPublisher { tenant, event in
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      let message = WebhookMessage(
        event.eventType, name: event.eventId, tenant: FinapticTenant.webhooks(tenant), body: try encoder.encode(event),
        about: event.customerId ?? event.applicationId)
      try await database.write(retrying: .outdated) { tx in
        let user = try event.user(in: tx)
        // An erasure that ended since the event was read deleted what the tenant had been told, and the key: this would
        // stay, and be sent. One that goes on begins anew and finds it.
        if let user, try !FinapticUserStore.takeIsKept(user, in: tx) { return }
        var sealed = message
        sealed.keySubject = user?.rawValue ?? message.about
        _ = try webhooks.publish(sealed, in: tx)
      }
    }
  }
}

extension OnboardingEvent {
  /// Who applied, whose key seals what the tenant is told; nil without an account.
  fileprivate func user(in tx: any SQLTransaction) throws -> FinapticUser.ID? {
    try customerId.flatMap { try FinapticUserStore.id(ofCustomer: $0, in: tx) }
      ?? FinapticUserStore.id(ofApplication: applicationId, in: tx)
  }
}

extension FinapticTenant {
  /// How webhooks name a tenant.
  package static func webhooks(_ tenant: Int) -> TenantID { TenantID("finaptic", "\(tenant)") }
}
