// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Hummingbird
import Kit
import SaltEdgeCore

/// Connecting phones and letting them go.
extension DemoBankRoutes {
  /// A code that everybody may scan: the phone asks who it is.
  @Sendable
  func connect(_ visit: Visit) async throws -> Response {
    let described: ServiceAnswers.Provider
    do { described = try await bank.service.describe() } catch is ProviderClient.Failure { throw Problem.unavailable }
    let version = described.configuration_url_v1 == nil ? 2 : visit.version
    let text = version == 1 ? described.configuration_url_v1 : described.configuration_url_v2
    guard let url = text.flatMap(URL.init(string:)) else { throw Problem.unavailable }
    return try DemoBankConnectPage(
      csrf: visit.visitor.csrf, code: code(ConnectLink(configuration: url).text, version), connects: nil, until: nil,
      version: version, isOffered: visit.visitor.customer != nil
    ).response()
  }

  /// A code that connects this customer, once. It is shown and not kept, so there is no page to lead to.
  @Sendable
  func connectAtOnce(_ visit: Visit, _ form: FormFields) async throws -> Response {
    guard let customer = visit.visitor.customer else { return Self.redirect(Self.base) }
    let version = form["api"] == "1" ? 1 : 2
    let link: ServiceAnswers.Link
    do {
      link = try await bank.connectLink(for: customer, version: version, from: visit.source)
    } catch is ProviderClient.Failure { throw Problem.unavailable }
    return try DemoBankConnectPage(
      csrf: visit.visitor.csrf, code: code(link.link, version), connects: customer.name,
      until: Instant(rfc3339: link.expires_at)?.timeOfDay, version: version, isOffered: false
    ).response()
  }

  private func code(_ link: String, _ version: Int) throws -> DemoBankCode {
    try DemoBankCode(link, version: version, otherPage: "\(Self.base)/connect?api=\(version == 1 ? 2 : 1)")
  }

  @Sendable
  func revoke(_ visit: Visit, _ form: FormFields) async throws -> Response {
    guard let customer = visit.visitor.customer else { return Self.redirect(Self.base) }
    let id = try visit.parameters.require("id")
    do {
      // Of all the bank's devices a customer ends their own.
      guard try await bank.service.devices(of: customer.id).contains(where: { $0.id == id }) else {
        throw Problem.notFound
      }
      try await bank.service.revoke(device: id)
    } catch is ProviderClient.Failure { throw Problem.unavailable }
    return Self.redirect(Self.base)
  }

  // MARK: In the app's web view

  private static let ended = Problem(
    .gone, "enrolment-ended", "This sign-in has ended. Go back to the app and connect once more.")

  @Sendable
  func enrol(_ visit: Visit) async throws -> Response {
    guard let session = visit.query("session"), Self.isSession(session) else { throw Self.ended }
    return try DemoBankEnrolPage(csrf: visit.visitor.csrf, session: session, device: await device(session)).response()
  }

  @Sendable
  func enrolled(_ visit: Visit, _ form: FormFields) async throws -> Response {
    guard let session = form["session"], Self.isSession(session) else { throw Self.ended }
    var customer: DemoCustomer?
    if form["action"] != "cancel" {
      let username = form["username"] ?? ""
      customer = try await bank.customer(username: username, password: form["password"] ?? "", from: visit.source)
      guard customer != nil else {
        return try DemoBankEnrolPage(
          csrf: visit.visitor.csrf, session: session, device: await device(session), username: username,
          isRefused: true
        ).response(status: .unprocessableContent)
      }
    }
    do {
      return Self.redirect(try await bank.service.end(session: session, customer: customer?.id))
    } catch ProviderClient.Failure.refused {
      throw Self.ended
    } catch is ProviderClient.Failure { throw Problem.unavailable }
  }

  private func device(_ session: String) async -> DemoBankEnrolPage.Device? {
    guard let asked = try? await bank.service.session(session) else { return nil }
    return .init(
      platform: asked.connection.platform, askedAt: asked.connection.created_at, returnURL: asked.return_url)
  }

  /// What the service names a session by goes into a page and back.
  private static func isSession(_ text: String) -> Bool {
    text.wholeMatch(of: #/[A-Za-z0-9_\-]{1,128}/#) != nil
  }
}
