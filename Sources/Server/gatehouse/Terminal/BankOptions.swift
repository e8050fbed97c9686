// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import GatehouseApp

/// What commands about a tenant of Finaptic share: the installation, how the result is printed, and the tenant.
struct BankOptions: ParsableArguments {
  @OptionGroup var installation: InstallationOptions
  @OptionGroup var output: OutputOptions
  @Argument(help: TenantNumber.help, transform: TenantNumber.read)
  var tenant: Int

  /// The installation, opened for a job on the tenant.
  /// - Throws: `CommandFailure` not found.
  func app() async throws -> App { try await installation.app(of: tenant) }
}
