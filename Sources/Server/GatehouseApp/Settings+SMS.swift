// SPDX-License-Identifier: Apache-2.0

import Configuration
import Delivery
import Foundation
import Kit

/// What an operator decides about the numbers that texts go to, and what they may cost.
struct SMSBudgetSettings: Sendable {
  /// Texts of one tenant a day, where customers are served and nothing else is said.
  static let perDayStandard = 10_000

  /// Of tenants that name none: E.164 prefixes, or `all`.
  var prefixes: [String]?
  var perDay: Int?
  /// JSON file of allowances by tenant, for systems whose tenants are no file.
  var tenantsFile: String?

  private struct Entry: Decodable {
    let prefixes: [String]?
    let perDay: Int?

    enum CodingKeys: String, CodingKey {
      case prefixes
      case perDay = "per_day"
    }
  }

  init() {}

  // What docs/reference/settings.md tells of them.
  // sms.perDay (default: 10000 with customers, no limit in a sandbox): texts of one tenant a day (UTC), 1 or more; what
  //   is more is refused

  init(_ config: ConfigReader) throws {
    prefixes = config.stringArray(forKey: "sms.prefixes").map { $0.map { $0.trimmingCharacters(in: .whitespaces) } }
    // A day without a single text is no budget: `waive` names what is done without.
    perDay = try config.int(forKey: "sms.perDay", in: 1 ... .max)
    tenantsFile = config.string(forKey: "sms.tenants")
    try Self.check(prefixes ?? [], "sms.prefixes")
  }

  /// - Parameter isSandbox: serves every number, without a limit, where nothing is said.
  func rules(isSandbox: Bool) throws -> SMSRules {
    let standard = SMSRules.Allowance(
      prefixes: Set(prefixes ?? (isSandbox ? [PhonePolicy.everywhere] : [])),
      perDay: perDay ?? (isSandbox ? nil : Self.perDayStandard))
    guard let tenantsFile else { return SMSRules(standard: standard) }
    guard let data = FileManager.default.contents(atPath: tenantsFile) else {
      throw SettingsError("sms.tenants names a file that \(SettingsError.unread)")
    }
    let entries: [String: Entry]
    do { entries = try JSONDecoder().decode([String: Entry].self, from: data) } catch let error as DecodingError {
      throw SettingsError("sms.tenants is not an object of allowances by tenant: \(error.fault)")
    }
    let byTenant = try entries.map { name, entry in
      guard let tenant = TenantID(spelling: name), tenant.system != "rubix", entry.perDay ?? 1 >= 1 else {
        throw SettingsError("sms.tenants: \(name) is no tenant such as finaptic-7, or its per_day is below 1")
      }
      try Self.check(entry.prefixes ?? [], "sms.tenants: \(name)")
      return (
        tenant,
        SMSRules.Allowance(
          prefixes: entry.prefixes.map(Set.init) ?? standard.prefixes, perDay: entry.perDay ?? standard.perDay)
      )
    }
    guard Set(byTenant.map(\.0)).count == byTenant.count else {
      throw SettingsError("sms.tenants names a tenant twice")
    }
    return SMSRules(standard: standard, byTenant: Dictionary(uniqueKeysWithValues: byTenant))
  }

  static func check(_ prefixes: [String], _ name: String) throws {
    guard prefixes.allSatisfy({ $0 == PhonePolicy.everywhere || $0.wholeMatch(of: /[1-9][0-9]{0,6}/) != nil }) else {
      throw SettingsError("\(name): a prefix is 1 to 7 digits of E.164 without a plus sign, or all")
    }
  }
}

extension Settings {
  /// The tenants of the file say themselves what they serve; the others go by the settings.
  func smsRules() throws -> SMSRules {
    var rules = try smsBudget.rules(isSandbox: isSandbox)
    for tenant in try tenants().all {
      rules.byTenant[TenantID("rubix", tenant.id)] = .init(
        prefixes: tenant.servedPrefixes.map(Set.init) ?? rules.standard.prefixes,
        perDay: tenant.smsPerDay ?? rules.standard.perDay)
    }
    return rules
  }

  /// Systems whose tenants are in no tenants file and can send no text: the settings name no prefix for all, and
  /// `sms.tenants` none for some tenant of the system, or no tenant of it at all.
  var systemsWithoutPrefixes: [String] {
    guard let rules = try? smsBudget.rules(isSandbox: isSandbox), rules.standard.prefixes.isEmpty else { return [] }
    return ["finaptic", "oneassist"].filter { system in
      let listed = rules.byTenant.filter { $0.key.system == system }
      return listed.isEmpty || listed.contains { $0.value.prefixes.isEmpty }
    }
  }
}
