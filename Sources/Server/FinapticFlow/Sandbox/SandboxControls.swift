// SPDX-License-Identifier: Apache-2.0

import Delivery
import FinapticWire
import Identity
import Kit
import Storage

/// What those may do who test an app against a sandbox tenant (finaptic §11.3). Not in the SDK, and never for a tenant
/// with real customers.
struct SandboxControls: Sendable {
  let core: CoreDependencies
  let policy: FinapticPolicy
  let devOutbox: DevOutbox?

  /// Who may: a client with the scope, of a tenant that is a sandbox, in an installation that is one.
  /// - Throws: `Problem` permission denied.
  func tenant(of client: ServiceClient) async throws -> FinapticTenant {
    let found = try await core.database.read { try TenantStore($0).find(session: client.tenant) }
    guard client.scopes.contains(.sandbox), policy.isSandbox, let tenant = found, tenant.isSandbox else {
      throw Problem.finaptic(.permissionDenied, "These controls are for clients of a sandbox tenant.")
    }
    return tenant
  }

  // MARK: Faults

  /// - Throws: `Problem` invalid argument; failed precondition when there are too many.
  func arm(_ asked: SandboxBodies.Fault, for tenant: FinapticTenant, by client: ServiceClient) async throws
    -> InjectedFault
  {
    let fault = try Self.fault(asked, for: tenant, core.world)
    try await core.database.write(retrying: .outdated, .serializable) { [core] tx in
      let store = FaultStore(tx)
      guard try store.list(tenant: tenant.id, at: core.world.now()).count < InjectedFault.countMax else {
        throw Problem.finaptic(.failedPrecondition, "At most \(InjectedFault.countMax) at once; reset them first.")
      }
      try store.insert(fault)
      try core.note(
        "fault.armed", "tenant-\(tenant.id)", by: client.actor,
        ["method": fault.method, "kind": fault.kind.rawValue], in: tx)
    }
    return fault
  }

  private static func fault(
    _ asked: SandboxBodies.Fault, for tenant: FinapticTenant, _ world: World
  ) throws -> InjectedFault {
    var check = InputCheck()
    let method = check.text(asked.method, "method", isRequired: true, "A call such as onboarding/acceptApplication.") {
      InjectedFault.isMethod($0)
    }
    let kind = check.text(asked.kind, "kind", isRequired: true, "error, failed or drop.") {
      InjectedFault.Kind(rawValue: $0) != nil
    }.flatMap { InjectedFault.Kind(rawValue: $0) }
    let code = check.text(asked.code, "code", isRequired: kind == .error, "A code of FinapticErrorCode.") {
      FinapticCode.known.contains(FinapticCode(rawValue: $0))
    }
    if kind != nil, kind != .error, asked.code != nil { check.refuse("code", "forbidden", "Of an error only.") }
    if let method, kind == .failed, !InjectedFault.canFail(method) {
      check.refuse("kind", "kind", "Not of this call: it does not answer how an application stands.")
    }
    let times = asked.times ?? 1
    if !(1...InjectedFault.timesMax).contains(times) {
      check.refuse("times", "range", "1 to \(InjectedFault.timesMax).")
    }
    try check.end()
    guard let method, let kind else { throw Problem.unexpected }
    return InjectedFault(
      id: .init(world), tenant: tenant.id, method: method, kind: kind, code: code, timesLeft: times,
      expiresAt: world.now() + InjectedFault.lifetime)
  }

  func faults(of tenant: FinapticTenant) async throws -> [InjectedFault] {
    try await core.database.read { [core] in try FaultStore($0).list(tenant: tenant.id, at: core.world.now()) }
  }

  /// Takes what waits for a call of this name.
  func meet(_ method: String, of tenant: FinapticTenant) async throws -> InjectedFault? {
    guard policy.isSandbox, tenant.isSandbox else { return nil }
    let now = core.world.now()
    // Faults are rare, and looking costs neither a write nor another thread.
    guard try await core.database.look({ try FaultStore($0).next(tenant: tenant.id, method: method, at: now) }) != nil
    else { return nil }
    return try await core.database.write(retrying: .outdated) { tx in
      let store = FaultStore(tx)
      guard let fault = try store.next(tenant: tenant.id, method: method, at: now) else { return nil }
      try store.use(fault)
      return fault
    }
  }

  // MARK: Messages

  /// What was sent to a user of the tenant, the oldest first. Nothing of users of others, and nothing that left by a
  /// gateway.
  func messages(to email: String?, of tenant: FinapticTenant) async throws -> [DevMessage] {
    var check = InputCheck()
    let address = check.email(email, "email")
    try check.end()
    guard let devOutbox, let address else { return [] }
    return try await core.database.read { [core] tx in
      guard let user = try FinapticUserStore(tx, vault: core.vault).find(email: address, tenant: tenant.id)?.user
      else { return [] }
      return try devOutbox.list(about: user.id.rawValue, in: tx)
    }
  }

  // MARK: Reset

  /// Disarms every fault, and forgets who was refused for good: they may apply again.
  /// - Returns: how many there were.
  func reset(_ tenant: FinapticTenant, by client: ServiceClient) async throws -> Int {
    try await core.database.write(retrying: .outdated) { [core] tx in
      let count = try FaultStore(tx).deleteAll(tenant: tenant.id)
      try RefusalStore(tx).deleteAll(of: tenant.id)
      try core.note("sandbox.reset", "tenant-\(tenant.id)", by: client.actor, ["faults": "\(count)"], in: tx)
      return count
    }
  }
}

/// Bodies of the test controls.
enum SandboxBodies {
  struct Fault: Decodable, Sendable {
    let method: String?
    let kind: String?
    let code: String?
    let times: Int?
  }

  struct FaultView: Encodable, Sendable {
    let id: String
    let method: String
    let kind: String
    let code: String?
    let times: Int
    let expiresAt: String

    enum CodingKeys: String, CodingKey {
      case id, method, kind, code, times
      case expiresAt = "expires_at"
    }

    init(_ fault: InjectedFault) {
      (id, method, kind) = (fault.id.rawValue, fault.method, fault.kind.rawValue)
      (code, times, expiresAt) = (fault.code, fault.timesLeft, fault.expiresAt.rfc3339)
    }
  }

  struct Faults: Encodable, Sendable { let faults: [FaultView] }
  struct Addressee: Decodable, Sendable { let email: String? }
  struct Disarmed: Encodable, Sendable { let faults: Int }

  struct Messages: Encodable, Sendable {
    struct Entry: Encodable, Sendable {
      let channel: String
      let subject: String?
      let body: String
      let sentAt: String

      enum CodingKeys: String, CodingKey {
        case channel, subject, body
        case sentAt = "sent_at"
      }

      init(_ message: DevMessage) {
        (channel, subject) = (message.message.channel.rawValue, message.message.subject)
        (body, sentAt) = (message.message.body, message.sentAt.rfc3339)
      }
    }

    let messages: [Entry]
  }
}
