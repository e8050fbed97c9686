// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Evidence
import Foundation
import Kit
import RubixWire
import Specimens
import Testing

@testable import RubixFlow

@Suite("Rubix: the looks of the three selfies")
struct SelfieLookTests {
  private static func picture() throws -> Data {
    let day = try #require(CalendarDate(year: 2026, month: 11, day: 21))
    return try Selfie.draw(of: Holder.random(seed: 1, reference: day), seed: 1, reference: day).data
  }

  /// The same on its head (EXIF 2.32 §4.6.4, orientation 3): the detector of the server sees no face in it, as in a
  /// face from the side.
  private static func unseen() throws -> Data {
    let picture = try picture()
    let tag: [UInt8] = [0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 3, 0, 0, 0, 0, 0, 0]
    let segment = Data([0xFF, 0xE1, 0, 34]) + Data("Exif\0\0MM".utf8) + Data(tag)
    return picture.prefix(2) + segment + picture.dropFirst(2)
  }

  private func capture(_ app: AgentTestApp, sees look: FaceDirection?) -> CaptureCommands {
    let sent = try? Self.picture()
    let looks = FaceDirectionDetector { seen in
      #expect(sent != nil && seen != sent, "encoded anew, not what was sent")
      return FaceDirectionReading(yaw: 0, look: look)
    }
    return app.rubix.capture(
      evidence: EvidenceReader(), liveness: Liveness(looks: looks, check: Liveness.inconclusive.check))
  }

  private func dossier(_ app: AgentTestApp, _ customer: Customer) async throws -> Dossier {
    try await app.core.database.read { try app.rubix.applications.load(customer.id, tenant: customer.tenant, in: $0) }
  }

  @Test("the session tells an order by chance; a selfie with another look is refused with a hint, a fitting one taken")
  func order() async throws {
    let app = try await AgentTestApp(asksLooks: true)
    let customer = try await app.registered()
    let opened = try await app.capture.createSession(app.request(customer, CreateSessionRequest()))
    #expect(opened.status == 201)
    let order = try #require(try await dossier(app, customer).looks)
    #expect(try await dossier(app, customer).view.session?.selfieLooks?.map(\.rawValue) == order.map(\.rawValue))
    let picture = try Self.picture()
    for (place, subType) in SelfieSubType.known.enumerated() {
      let request = SelfieUploadRequest(file: picture, subType: subType)
      let other = order[(place + 1) % order.count]
      do {
        _ = try await capture(app, sees: other).uploadSelfie(app.request(customer, request))
        Issue.record("a face that looks \(other) was taken for \(order[place])")
      } catch let problem as Problem {
        #expect(problem.code == "image-quality" && problem.fields.map(\.code) == ["other-look"])
      }
      #expect(try await dossier(app, customer).selfies.count == place)
      // One that cannot be told is taken as well: an agent looks at it.
      let seen = place == 1 ? nil : order[place]
      #expect(try await capture(app, sees: seen).uploadSelfie(app.request(customer, request)).status == 201)
    }
    let done = try await dossier(app, customer)
    #expect(done.application.phase == .awaitingLiveness)
    #expect(done.look(of: done.comparedSelfie) == .straight, "portraits look straight")
  }

  @Test("without a detector a turned face is not refused for being turned, and a straight one still has to be seen")
  func undetected() async throws {
    let app = try await AgentTestApp(asksLooks: true)
    let customer = try await app.registered()
    _ = try await app.capture.createSession(app.request(customer, CreateSessionRequest()))
    let order = try #require(try await dossier(app, customer).looks)
    let turned = try Self.unseen()
    let commands = app.rubix.capture(evidence: EvidenceReader(), liveness: .inconclusive)
    for (place, subType) in SelfieSubType.known.enumerated() {
      let upload = try app.request(customer, SelfieUploadRequest(file: turned, subType: subType))
      if order[place] == .straight {
        await #expect(throws: Problem.self) { _ = try await commands.uploadSelfie(upload) }
        let straight = SelfieUploadRequest(file: try Self.picture(), subType: subType)
        #expect(try await commands.uploadSelfie(app.request(customer, straight)).status == 201)
      } else {
        #expect(try await commands.uploadSelfie(upload).status == 201)
      }
    }
  }

  @Test("where a tenant asks for no looks, none are told, and any is taken")
  func none() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.registered()
    _ = try await app.capture.createSession(app.request(customer, CreateSessionRequest()))
    let request = SelfieUploadRequest(file: try Self.picture(), subType: .faceCapture)
    #expect(try await capture(app, sees: .left).uploadSelfie(app.request(customer, request)).status == 201)
    let taken = try await dossier(app, customer)
    #expect(taken.looks == nil && taken.view.session?.selfieLooks == nil)
    #expect(taken.comparedSelfie == .faceEnrollment)
  }
}
