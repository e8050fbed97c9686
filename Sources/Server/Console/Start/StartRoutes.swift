// SPDX-License-Identifier: Apache-2.0

import HTTP
import HTTPTypes
import Hummingbird
import Identity
import Kit

/// `/`: what this server has for people. `/api-description`: the calls, to be read. `/console/first-run/…`: the first way
/// into a sandbox.
package struct StartRoutes: Sendable {
  package static let firstRun = "\(StaffRoutes.base)/first-run"
  static let description = "/api-description"

  private let signIn: StaffSignIn
  private let administration: StaffAdministration
  private let machineUser: String
  private let hasOutbox: Bool
  private let hasDemoBank: Bool

  /// - Parameters:
  ///   - machineUser: who started this program, as in the audit log.
  ///   - hasOutbox: whether messages are kept for this machine, where a first run is offered, too.
  package init(
    _ signIn: StaffSignIn, _ administration: StaffAdministration, machineUser: String, hasOutbox: Bool,
    hasDemoBank: Bool
  ) {
    (self.signIn, self.administration, self.machineUser) = (signIn, administration, machineUser)
    (self.hasOutbox, self.hasDemoBank) = (hasOutbox, hasDemoBank)
  }

  package func add(to root: RouterGroup<PublicContext>) {
    root.get("") { _, _ in try StartPage(hasOutbox: hasOutbox, hasDemoBank: hasDemoBank).response() }
    root.get(RouterPath(Self.description)) { _, _ in try APIPage().response() }
    guard hasOutbox else { return }
    root.get("\(Self.firstRun)/{token}", use: ask)
    root.post("\(Self.firstRun)/{token}", use: enter)
  }

  /// Asks first: a link that counts once is not spent by a program that looks where it leads.
  @Sendable
  private func ask(_ request: Request, _ context: PublicContext) async throws -> Response {
    try LocalClient.require(request, context)
    return try FirstRunPage(action: "\(Self.firstRun)/\(try context.parameters.require("token"))").response()
  }

  @Sendable
  private func enter(_ request: Request, _ context: PublicContext) async throws -> Response {
    try LocalClient.require(request, context)
    let member = try await administration.enter(try context.parameters.require("token"), by: machineUser)
    let token = try await signIn.open(member, by: "first-run")
    return StaffRoutes.redirect(StaffAdminRoutes.base)
      .setting(StaffVisit.cookieName, to: token, isSecure: signIn.isSecure)
  }
}

/// Where newcomers begin.
struct StartPage: Page {
  static var template: [UInt8] { PackageResources.StartPage_mustache }

  let hasOutbox: Bool
  let hasDemoBank: Bool
}

/// The description of the API, which a script of ours lays out.
struct APIPage: Page {
  static var template: [UInt8] { PackageResources.APIPage_mustache }
  static var scripts: [Asset] { [.api] }
  static var onlyLanguage: Language? { .english }
}

/// The first way into a sandbox.
struct FirstRunPage: Page {
  static var template: [UInt8] { PackageResources.FirstRunPage_mustache }
  static var brand: Brand { .desk }

  let action: String
}
