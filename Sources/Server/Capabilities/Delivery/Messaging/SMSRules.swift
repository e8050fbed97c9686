// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// What each tenant pays for: the numbers that texts go to, and how many of them a day. Keeps those who ask for codes
/// to numbers of their own from spending an institution's money (SMS pumping, Rubix §8.2).
package struct SMSRules: Sendable {
  package struct Allowance: Sendable, Equatable {
    /// E.164 prefixes without `+`, or `PhonePolicy.everywhere`; an empty set serves no number.
    package var prefixes: Set<String>
    /// Texts a day in UTC; nil is any number.
    package var perDay: Int?

    package init(prefixes: Set<String>, perDay: Int?) { (self.prefixes, self.perDay) = (prefixes, perDay) }
  }

  /// Of tenants without one of their own.
  package var standard: Allowance
  package var byTenant: [TenantID: Allowance]

  package init(standard: Allowance, byTenant: [TenantID: Allowance] = [:]) {
    (self.standard, self.byTenant) = (standard, byTenant)
  }

  package func allowance(of tenant: TenantID?) -> Allowance { tenant.flatMap { byTenant[$0] } ?? standard }

  /// Which numbers a tenant's customers may give.
  package func phones(of tenant: TenantID) -> PhonePolicy {
    PhonePolicy(servedPrefixes: allowance(of: tenant).prefixes)
  }
}

extension Messenger {
  /// The same gateways for texts that the rules allow. A text is counted before it is sent, and once: repetitions have
  /// its id.
  package func within(_ rules: SMSRules, _ core: CoreDependencies) -> Messenger {
    let sms = sms
    return Messenger(
      sms: SMSGateway { message in
        let allowance = rules.allowance(of: message.tenant)
        // Where every country is served, ranges that cost more are not.
        let phones = PhonePolicy(servedPrefixes: allowance.prefixes, requiresMobile: false)
        guard case .accepted = phones.check(message.recipient) else { throw MessageRefused(.notServed) }
        if let perDay = allowance.perDay {
          try await core.database.write(retrying: .outdated) { tx in
            let id = message.id ?? core.world.uuid()
            let own = RateLimit("sms message", 1, per: .days(1))
            guard try !core.limits.count(own, by: id, isTold: false, in: tx).isExceeded else { return }
            let budget = RateLimit("sms budget", perDay, per: .days(1))
            let spent = try core.limits.count(
              budget, by: message.tenant?.description ?? "none", isTold: false, in: tx)
            guard !spent.isExceeded else { throw MessageRefused(.overBudget) }
          }
        }
        try await sms.send(message)
      }, mail: mail)
  }
}
