import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Identity
import Kit

/// `/console/account`: what staff change about their own account.
package struct StaffAccountRoutes: Sendable {
  static let base = "\(StaffRoutes.base)/account"

  private let signIn: StaffSignIn

  package init(_ signIn: StaffSignIn) { self.signIn = signIn }

  package func add(to root: RouterGroup<PublicContext>) {
    let group = root.group(RouterPath(Self.base))
    group.get("", use: show)
    group.post("password", use: changePassword)
    group.post("keys", use: addKey)
    root.get("\(StaffRoutes.base)/passkey.js") { _, _ in
      Response(
        status: .ok, headers: [.contentType: "text/javascript; charset=utf-8"],
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: PackageResources.passkey_js)))
    }
  }

  @Sendable
  private func show(_ request: Request, _ context: PublicContext) async throws -> Response {
    guard let visit = try await signIn.visit(request) else { return StaffRoutes.redirect(StaffRoutes.signInPath) }
    return try await page(visit)
  }

  /// The current password is counted as a sign-in is, so that it cannot be guessed with a browser that was left open.
  @Sendable
  private func changePassword(_ request: Request, _ context: PublicContext) async throws -> Response {
    guard let visit = try await signIn.visit(request) else { return StaffRoutes.redirect(StaffRoutes.signInPath) }
    let (form, member) = (try await StaffForm.read(request, csrf: visit.csrf), visit.member)
    let outcome = try await signIn.staff.authenticate(
      email: member.email, password: form["current"] ?? "", tenant: member.tenant,
      network: context.clientAddress.map(ClientNetwork.of))
    switch outcome {
    case .accepted: break
    case .refused: return try await page(visit, fault: "The current password is wrong.", status: .unprocessableContent)
    case .locked(let retryAfter):
      let locked = StaffRoutes.locked(retryAfter)
      return try await page(visit, fault: locked.fault, status: locked.status)
    }
    do {
      try await signIn.staff.setPassword(form["new"] ?? "", of: member.id, by: visit.actor, keeping: visit.family.id)
    } catch let problem as Problem where problem.category == .unprocessable {
      return try await page(visit, fault: problem.fields.first?.message, status: problem.status)
    }
    return try await page(visit, note: "The password was changed, and other sessions ended.")
  }

  @Sendable
  private func addKey(_ request: Request, _ context: PublicContext) async throws -> Response {
    guard let visit = try await signIn.visit(request) else { return StaffRoutes.redirect(StaffRoutes.signInPath) }
    let form = try await StaffForm.read(request, csrf: visit.csrf)
    func bytes(_ name: String) -> Data { form[name].flatMap { Data(base64URL: $0) } ?? Data() }
    do {
      try await signIn.staff.factors.register(
        clientData: bytes("client_data"), attestation: bytes("attestation"), of: visit.member, in: visit.family.id,
        with: signIn.webAuthn)
    } catch let problem as Problem where [.unprocessable, .conflict].contains(problem.category) {
      return try await page(visit, fault: problem.detail, status: problem.status)
    }
    return try await page(visit, note: "The security key was added.")
  }

  private func page(
    _ visit: StaffVisit, note: String? = nil, fault: String? = nil, status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let state = try await signIn.staff.factors.state(of: visit.member.id)
    var key: KeyPrompt?
    if state.isEnrolled, state.keys.count < StaffFactors.keysMax {
      let challenge = try await signIn.staff.factors.challenge(for: .registration, in: visit.family.id)
      key = KeyPrompt(challenge, visit, state, signIn.webAuthn)
    }
    return try await signIn.renewing(
      visit, try StaffAccountPage(visit, state, key: key, note: note, fault: fault).response(status: status))
  }
}
