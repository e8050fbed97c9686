// SPDX-License-Identifier: Apache-2.0
import FinapticFlow
import GatehouseApp
import GatehouseWire
import Kit
import Ledger

/// Changed terms of the sample bank, of which no mail tells one owner.
extension SampleCases {
  /// After today, in days; more than the notice that a bank gives where it sets none.
  private static let termsBegin = 70
  private static let fee: Int64 = 4_00

  /// An account whose owner has no user, and a change of what accounts of its kind cost.
  func playTerms() async throws {
    let (dependencies, tenant) = (app.finaptic.dependencies, SandboxSeed.finapticTenant)
    let today = Int(Ledger.day(of: app.world.now()))
    try await BankFixture(dependencies: dependencies).openForStranger(tenant: tenant)
    let waiting = try await dependencies.accountTerms.set(
      AccountProduct.current.code, of: tenant, yearlyInterest: nil, monthlyFee: Self.fee,
      from: WireDate(daysSince1970: today + Self.termsBegin), by: Self.actor)
    guard waiting == nil else { throw DemoStory.Broken() }
    try await dependencies.termsChanges.tell()
    guard try await dependencies.termsChanges.counted(of: tenant).contains(where: { $0.owners > 0 }) else {
      throw DemoStory.Broken()
    }
  }
}
