// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import FinapticWire
import Kit
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

@Suite("Finaptic: invitations to use an account")
struct InvitationTests {
  private typealias Wire = FinapticAPI

  /// An owner with an account, and a person to invite.
  private struct Scene {
    let app: CardTestApp
    let owner: CardTestApp.Person
    let guest: CardTestApp.Person
    let product: CardTestApp.Product

    init(_ app: CardTestApp) async throws {
      self.app = app
      owner = try await app.customer("ada", username: "ada")
      guest = try await app.customer("bob", username: "bobby")
      product = try await app.open(for: owner)
    }

    func invite(
      _ identifier: String = "bob@example.ca", by person: CardTestApp.Person? = nil, account: String? = nil,
      metadata: [String: String]? = nil, once: String? = nil
    ) async throws -> CardTestApp.Answer {
      try await app.call(
        .inviteAuthorizedUser,
        Wire.InviteAuthorizedUserRequest(
          invitedCustomerIdentifier: identifier, accountId: account ?? product.account.rawValue,
          invitationMetadata: metadata), as: person ?? owner, once: once)
    }

    func invited(_ identifier: String = "bob@example.ca") async throws -> Wire.Invitation {
      try await invite(identifier).view(Wire.InvitationResponse.self).invitation
    }

    func call(
      _ method: FinapticMethod, _ invitation: String, as person: CardTestApp.Person, metadata: [String: String]? = nil
    ) async throws -> CardTestApp.Answer {
      try await app.call(
        method, Wire.InvitationRequest(invitationId: invitation, invitationMetadata: metadata), as: person)
    }

    func list(of person: CardTestApp.Person) async throws -> [Wire.Invitation] {
      try await app.call(.getInvitations, EmptyBody(), as: person).view(Wire.InvitationsResponse.self).invitations
    }

    func remove(
      _ customer: String, by person: CardTestApp.Person? = nil, scope: FinapticScope? = .removeAuthorizedUser
    ) async throws -> CardTestApp.Answer {
      try await app.call(
        .removeAuthorizedUser,
        Wire.RemoveAuthorizedUserRequest(accountId: product.account.rawValue, authorizedUser: customer),
        as: person ?? owner, scope: scope)
    }

    func authorized() async throws -> [String] {
      let found = try await app.database.read { [product] in
        try AccountStore($0).find(product.account, tenant: CardTestApp.tenant)
      }
      return try #require(found).authorizedUsers
    }
  }

  @Test("invited, accepted, confirmed, removed, with what each side is told and may do meanwhile")
  func whole() async throws {
    try await CardTestApp.run { app in
      let scene = try await Scene(app)
      let invitation = try await scene.invite(metadata: ["from": "Ada"]).view(Wire.InvitationResponse.self).invitation
      #expect(invitation.status == "PENDING" && invitation.invitedCustomerId != scene.guest.customer)
      #expect(try await scene.list(of: scene.guest).map(\.invitedCustomerId) == [scene.guest.customer])
      #expect(invitation.issuerCustomerId == scene.owner.customer && invitation.invitationMetadata == ["from": "Ada"])
      let life = invitation.expirationTime.millisecondsSince1970 - invitation.creationTime.millisecondsSince1970
      #expect(life == 24 * 3600 * 1000)
      #expect(try await app.accounts.messages(to: scene.guest.email).first?.subject?.contains("invited") == true)
      let id = invitation.invitationId
      // Not before it is accepted, and not by anybody else.
      #expect(
        try await scene.call(.confirmAuthorizedUserInvitation, id, as: scene.owner).code == "FAILED_PRECONDITION")
      #expect(try await scene.call(.acceptAuthorizedUserInvitation, id, as: scene.owner).code == "PERMISSION_DENIED")
      #expect(try await scene.call(.confirmAuthorizedUserInvitation, id, as: scene.guest).code == "PERMISSION_DENIED")
      #expect(
        try await scene.call(.acceptAuthorizedUserInvitation, id, as: scene.guest, metadata: ["to": "Bob"]).status
          == 200)
      #expect(try await scene.authorized() == [])
      // Who accepts has shown who they are.
      #expect(try await scene.list(of: scene.owner).map(\.invitedCustomerId) == [scene.guest.customer])
      #expect(try await app.accounts.messages(to: scene.owner.email).first?.subject?.contains("accepted") == true)
      #expect(
        try await scene.call(.declineAuthorizedUserInvitation, id, as: scene.guest).code == "FAILED_PRECONDITION")
      // An acceptance does not lapse.
      app.accounts.clock.advance(by: .days(3))
      try await app.accounts.service.sweep()
      #expect(try await scene.call(.confirmAuthorizedUserInvitation, id, as: scene.owner).status == 200)
      #expect(try await scene.authorized() == [scene.guest.customer])
      #expect(try await scene.list(of: scene.guest).map(\.status) == ["COMPLETED"])
      #expect(try await scene.list(of: scene.owner).first?.invitationMetadata == ["to": "Bob"])
      #expect(try await scene.invite().code == "ALREADY_EXISTS")
      #expect(try await scene.invite("ADA").code == "ALREADY_EXISTS")
      #expect(try await scene.remove(scene.guest.customer, scope: nil).code == "PERMISSION_DENIED")
      #expect(try await scene.remove(scene.guest.customer, scope: nil).message.contains("remove:authorized_user"))
      #expect(try await scene.remove(scene.guest.customer, by: scene.guest).code == "PERMISSION_DENIED")
      let left = try await scene.remove(scene.guest.customer).view(Wire.AuthorizedUsersResponse.self)
      #expect(left.authorizedUsers == [])
      #expect(try await scene.remove(scene.guest.customer).code == "NOT_FOUND")
      #expect(try await scene.remove(scene.owner.customer).code == "NOT_FOUND")
      // Completed and removed does not stand in the way.
      #expect(try await scene.invite().status == 200)
    }
  }

  @Test("declined and expired end it, and do not stand in the way of another one")
  func ended() async throws {
    try await CardTestApp.run { app in
      let scene = try await Scene(app)
      let first = try await scene.invited("BOBBY").invitationId
      #expect(try await scene.invite("bobby").code == "ALREADY_EXISTS")
      #expect(try await scene.call(.declineAuthorizedUserInvitation, first, as: scene.guest).status == 200)
      #expect(
        try await scene.call(.acceptAuthorizedUserInvitation, first, as: scene.guest).code == "FAILED_PRECONDITION")
      app.accounts.clock.advance(by: .seconds(1))
      let second = try await scene.invited("bobby").invitationId
      app.accounts.clock.advance(by: .hours(24))
      // Computed when it is read; the sweep has not run yet.
      #expect(try await scene.list(of: scene.owner).first { $0.invitationId == second }?.status == "EXPIRED")
      #expect(
        try await scene.call(.acceptAuthorizedUserInvitation, second, as: scene.guest).code == "FAILED_PRECONDITION")
      let third = try await scene.invited("bobby").invitationId
      app.accounts.clock.advance(by: .hours(25))
      try await app.accounts.service.sweep()
      #expect(
        try await app.accounts.story(chain: third) == ["finaptic.invitation.issued", "finaptic.invitation.expired"])
      #expect(try await scene.list(of: scene.guest).map(\.status) == ["EXPIRED", "EXPIRED", "DECLINED"])
    }
  }

  @Test("an unknown person is invited in the same way: answer, list, second try, and the same id each time")
  func unknownPerson() async throws {
    try await CardTestApp.run { app in
      let scene = try await Scene(app)
      let (known, unknown) = (try await scene.invited(), try await scene.invited("zoe@example.ca"))
      let shape = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
      for invitation in [known, unknown] {
        #expect(invitation.status == "PENDING" && invitation.invitedCustomerId.wholeMatch(of: shape) != nil)
      }
      let (second, first) = (try await scene.invite("ZOE@example.ca"), try await scene.invite())
      #expect(second.refusal == first.refusal && second.message == first.message)
      #expect(second.code == "ALREADY_EXISTS")
      let other = try await app.open(for: scene.owner)
      func again(_ identifier: String) async throws -> String {
        try await scene.invite(identifier, account: other.account.rawValue).view(Wire.InvitationResponse.self)
          .invitation.invitedCustomerId
      }
      #expect(try await again("bob@example.ca") == known.invitedCustomerId)
      #expect(try await again("zoe@example.ca") == unknown.invitedCustomerId)
      #expect(try await scene.list(of: scene.owner).count == 4)
      // A user who is no customer yet counts as unknown, too.
      _ = try await app.accounts.signUp("new@example.ca", username: nil)
      #expect(try await scene.invited("new@example.ca").status == "PENDING")
      try await app.accounts.settle()
      let sent = try await app.accounts.app.devOutbox.list().map(\.message.recipient)
      #expect(Set(sent) == ["bob@example.ca", "new@example.ca"])
      #expect(sent.filter { $0 == "new@example.ca" }.count == 1)
    }
  }

  @Test("e-mail address and username of one customer look like those of two, and like those of an unknown person")
  func noOracle() async throws {
    try await CardTestApp.run { app in
      let scene = try await Scene(app)
      let ids = try await [
        scene.invited("bob@example.ca"), scene.invited("bobby"), scene.invited("zoe@example.ca"),
        scene.invited("zoe"),
      ].map(\.invitedCustomerId)
      #expect(Set(ids).count == 4 && !ids.contains(scene.guest.customer))
      // Not after they declined either, nor once it is over.
      let first = try #require(try await scene.list(of: scene.guest).first).invitationId
      #expect(try await scene.call(.declineAuthorizedUserInvitation, first, as: scene.guest).status == 200)
      app.accounts.clock.advance(by: .hours(25))
      #expect(Set(try await scene.list(of: scene.owner).map(\.invitedCustomerId)) == Set(ids))
      // Becoming a customer changes nothing of what the issuer sees.
      let zoe = try await app.customer("zoe", username: "zoe")
      #expect(try await scene.invited("zoe@example.ca").invitedCustomerId == ids[2])
      #expect(try await scene.list(of: zoe).map(\.invitedCustomerId) == [zoe.customer])
    }
  }

  @Test("erasing the invited changes nothing of what the issuer sees, and can be done for two who had one address")
  func erased() async throws {
    try await CardTestApp.run { app in
      let scene = try await Scene(app)
      let erasure = app.accounts.service.dependencies.erasure
      func seen() async throws -> [String] {
        try await scene.list(of: scene.owner).map { "\($0.invitationId) \($0.invitedCustomerId)" }.sorted()
      }
      _ = try await scene.invited("zoe@example.ca")
      var guest = scene.guest
      for name in ["bob", "bob again"] {
        _ = try await scene.invited()
        let before = try await seen()
        _ = try await erasure.erase(
          guest.customer, tenant: CardTestApp.tenant, reason: .ended, by: "test", despiteDuty: true)
        #expect(try await seen() == before, "\(name)")
        app.accounts.clock.advance(by: .seconds(1))
        guest = try await app.customer("bob")
      }
      // The address is forgotten; the id that it shows is not.
      let ids = try await scene.list(of: scene.owner).map(\.invitedCustomerId)
      #expect(ids.count == 3 && Set(ids).count == 2)
    }
  }

  @Test("refused with the code of the specification, and nothing is written")
  func refused() async throws {
    try await CardTestApp.run { app in
      let scene = try await Scene(app)
      #expect(try await scene.invite(by: scene.guest).code == "PERMISSION_DENIED")
      // No difference between an account that is not there and one that is another's.
      #expect(try await scene.invite(account: app.dependencies.core.world.randomUUID()).code == "PERMISSION_DENIED")
      #expect(try await scene.invite(account: "none").code == "INVALID_ARGUMENT")
      #expect(try await scene.invite(" ").code == "INVALID_ARGUMENT")
      let many = Dictionary(uniqueKeysWithValues: (0..<21).map { ("k\($0)", "v") })
      for metadata in [
        many, ["": "v"], [String(repeating: "k", count: 41): "v"], ["k": String(repeating: "v", count: 501)],
      ] {
        #expect(try await scene.invite(metadata: metadata).code == "INVALID_ARGUMENT")
      }
      #expect(
        try await scene.call(.acceptAuthorizedUserInvitation, app.dependencies.core.world.randomUUID(), as: scene.guest)
          .code
          == "NOT_FOUND")
      #expect(try await scene.call(.acceptAuthorizedUserInvitation, "x", as: scene.guest).code == "INVALID_ARGUMENT")
      #expect(try await scene.list(of: scene.owner).isEmpty)
      let nobody = try await app.call(.getInvitations, EmptyBody())
      #expect(nobody.code == "UNAUTHENTICATED")
    }
  }

  @Test("an invitation of another tenant is not there, nor is one of a customer's of that tenant")
  func tenants() async throws {
    try await CardTestApp.run { app in
      let scene = try await Scene(app)
      let id = try await scene.invited().invitationId
      let stranger = try await app.customer("bob", tenant: AccountTestApp.otherTenant)
      let headers = [
        "X-Client-Key": app.accounts.otherKey,
        "Authorization": "Bearer \(try await app.token(stranger, tenant: AccountTestApp.otherTenant))",
      ]
      let answer = try await app.accounts.call(
        .post, FinapticMethod.acceptAuthorizedUserInvitation.path,
        try WireJSON.encode(Wire.InvitationRequest(invitationId: id)), headers: headers)
      #expect(answer.code == "NOT_FOUND")
    }
  }

  @Test("of callers side by side one accepts or declines, one confirms, and one invites")
  func races() async throws {
    try await CardTestApp.run { app in
      let scene = try await Scene(app)
      func codes(_ count: Int, _ call: @escaping @Sendable (Int) async throws -> CardTestApp.Answer) async throws
        -> [String]
      {
        try await withThrowingTaskGroup(of: String.self) { group in
          for number in 0..<count { group.addTask { try await call(number).code ?? "OK" } }
          return try await group.reduce(into: []) { $0.append($1) }.sorted()
        }
      }
      let invited = try await codes(4) { _ in try await scene.invite(once: app.dependencies.core.world.randomUUID()) }
      #expect(invited.filter { $0 == "OK" }.count == 1)
      // The slower ones are told that there is one, or to ask again.
      #expect(Set(invited).isSubset(of: ["OK", "ALREADY_EXISTS", "UNAVAILABLE"]))
      let id = try #require(try await scene.list(of: scene.guest).first).invitationId
      let answered = try await codes(4) {
        try await scene.call(
          $0.isMultiple(of: 2) ? .acceptAuthorizedUserInvitation : .declineAuthorizedUserInvitation, id, as: scene.guest
        )
      }
      #expect(answered == ["FAILED_PRECONDITION", "FAILED_PRECONDITION", "FAILED_PRECONDITION", "OK"])
      guard try await scene.list(of: scene.guest).first?.status == "ACCEPTED" else { return }
      let confirmed = try await codes(3) { _ in
        try await scene.call(.confirmAuthorizedUserInvitation, id, as: scene.owner)
      }
      #expect(confirmed == ["FAILED_PRECONDITION", "FAILED_PRECONDITION", "OK"])
      #expect(try await scene.authorized() == [scene.guest.customer])
    }
  }

  @Test("what is said with an invitation lies sealed in the store")
  func sealed() async throws {
    try await CardTestApp.run { app in
      let scene = try await Scene(app)
      _ = try await scene.invite("somebody-else@example.ca", metadata: ["note": "Quixotic7"])
      let bytes = try await app.accounts.made.bytesOnDisk()
      for word in ["Quixotic7", "somebody-else"] { #expect(bytes.range(of: Data(word.utf8)) == nil) }
    }
  }
}
