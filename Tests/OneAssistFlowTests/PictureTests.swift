import Evidence
import Foundation
import GatehouseWire
import HTTPTypes
import Kit
import OneAssistCore
import OneAssistFlow
import Specimens
import Testing

/// The room with the readers that serve: pictures are drawn, worn and read.
@Suite("OneAssist: from the picture to the membership")
struct PictureTests {
  private static let evidence = EvidenceReader()
  private static let (first, second) = ("359000110000012", "359000110000020")

  private func screenshot(_ imei: String = first, _ imei2: String? = second, seed: UInt64) throws -> Data {
    let wear = ScreenWear(crop: 0.5, rescale: 0.8, degrade: try Degradation.list("noise:0.4,jpeg:0.7"))
    return try IMEIScreenshot.draw(PhoneNumbers(imei: imei, imei2: imei2, seed: seed), wear: wear, seed: seed)
      .picture.data
  }

  private func photo(of code: SecureScreenCode, imei: String = first, seed: UInt64) throws -> Data {
    let content = SecureScreenPhoto.Content(imei: imei, code: code.digits, hint: code.hint)
    let wear = try Degradation.list("rotate:0.6,perspective:0.8,moire:0.4,noise:0.5,jpeg:0.8")
    return try SecureScreenPhoto.draw(content, degrade: wear, seed: seed).picture.data
  }

  private func recognise(_ phone: InsuredPhone, _ picture: Data) async throws -> OneAssistHouse.Answer {
    let features = #"[{"type":"TEXT_DETECTION","maxResults":1}]"#
    let (type, body) = InsuredPhone.form([("features", features)], file: "imageFile", picture)
    return try await phone.call(.post, "pandora-ws/api/v1/image-data", body, ["Content-Type": type])
  }

  private func upload(
    _ phone: InsuredPhone, _ name: String, _ picture: Data
  ) async throws -> OneAssistHouse.Answer {
    let (type, body) = InsuredPhone.form(
      [("activityReferenceId", phone.activity), ("name", name)], file: "file", picture)
    return try await phone.call(
      .post, "subscription-service/lead/activation/asset/document", body, ["Content-Type": type])
  }

  private func verdict(_ house: OneAssistHouse, _ phone: InsuredPhone) async throws -> String? {
    let review = try await house.review(.get, "memberships/\(phone.membership())").view()["review"] as? [String: Any]
    let documents = try #require(review?["documents"] as? [[String: Any]])
    return documents.first { $0["name"] as? String == "SCREEN_IMAGE" }?["code"] as? String
  }

  /// A phone whose IMEI was read from its screenshot, and whose link was sent.
  private func linked(_ house: OneAssistHouse, seed: UInt64) async throws -> InsuredPhone {
    let phone = try await InsuredPhone(house)
    let answer = try await recognise(phone, screenshot(seed: seed)).data(OneAssist.TextAnswer.self)
    let read = try #require(IMEIReading(text: answer.anyText ?? ""))
    #expect([read.primary.digits, read.secondary?.digits] == [Self.first, Self.second])
    let stored = try await phone.lead(imei: read.primary.digits, imei2: read.secondary?.digits)
    #expect(try stored.data(OneAssist.Standing.self).taskInfo?.status == "POSTDTLCOMPLETE")
    _ = try await phone.link()
    try await house.settle()
    return phone
  }

  @Test("a screenshot gives the IMEIs, the photo of the lit screen its code, and the membership waits for its review")
  func journey() async throws {
    try await OneAssistHouse.run(reading: Self.evidence) { house in
      let phone = try await linked(house, seed: 61)
      #expect(try await upload(phone, "IMEI_SCREENSHOT", screenshot(seed: 61)).status == 200)
      let screen = try await phone.screen()
      house.clock.advance(by: .seconds(42))
      let shown = try #require(screen.code(at: house.clock.now.milliseconds))
      house.clock.advance(by: .seconds(20))
      let front = try photo(of: shown, seed: 62)
      #expect(try await upload(phone, "SCREEN_IMAGE", front).status == 200)
      #expect(try await upload(phone, "BACK_IMAGE", photo(of: shown, seed: 63)).status == 200)
      #expect(try await phone.status() == "PENDING")
      #expect(try await verdict(house, phone) == "verified")
    }
  }

  @Test("the same code in another photo, and a code that is too old, are refused with their reason")
  func replay() async throws {
    try await OneAssistHouse.run(reading: Self.evidence) { house in
      let phone = try await linked(house, seed: 64)
      let screen = try await phone.screen()
      let shown = try #require(screen.code(at: house.clock.now.milliseconds))
      #expect(try await upload(phone, "SCREEN_IMAGE", photo(of: shown, seed: 65)).status == 200)
      let again = try await upload(phone, "SCREEN_IMAGE", photo(of: shown, seed: 66))
      #expect(again.refusal == "422 CODE_EXPIRED POSTDTLCOMPLETE")
      house.clock.advance(by: .seconds(3))
      let later = try #require(screen.code(at: house.clock.now.milliseconds))
      house.clock.advance(by: .seconds(901))
      let old = try await upload(phone, "SCREEN_IMAGE", photo(of: later, seed: 67))
      #expect(old.refusal == "422 CODE_EXPIRED POSTDTLCOMPLETE")
    }
  }

  @Test("the screen of a phone with another IMEI proves nothing, though its session is this one's")
  func otherPhone() async throws {
    try await OneAssistHouse.run(reading: Self.evidence) { house in
      let phone = try await linked(house, seed: 68)
      let key = try await phone.screenKey().data(OneAssist.ScreenKey.self)
      let stranger = try #require(IMEI("359000210000011"))
      let forged = try #require(
        RollingCode(
          key: Data(base64Encoded: key.hashKey ?? "") ?? Data(), sessionID: key.sessionId ?? "", imei: stranger,
          issuedAt: key.issuedAt ?? 0))
      let answer = try await upload(
        phone, "SCREEN_IMAGE", photo(of: forged.code(0), imei: stranger.digits, seed: 69))
      #expect(answer.refusal == "422 CODE_MISMATCH POSTDTLCOMPLETE")
      #expect(try await phone.documents()["SCREEN_IMAGE"] == "RJ")
    }
  }

  @Test("a photo without a code is kept for a person")
  func unreadable() async throws {
    try await OneAssistHouse.run(reading: Self.evidence) { house in
      let phone = try await linked(house, seed: 70)
      _ = try await phone.screen()
      #expect(try await upload(phone, "SCREEN_IMAGE", screenshot(seed: 71)).status == 200)
      #expect(try await upload(phone, "BACK_IMAGE", screenshot(seed: 72)).status == 200)
      #expect(try await verdict(house, phone) == "unreadable")
    }
  }

  @Test("a screenshot of somebody else's covered phone is read, and the phone is refused")
  func covered() async throws {
    try await OneAssistHouse.run(reading: Self.evidence) { house in
      _ = try await linked(house, seed: 73)
      let other = try await InsuredPhone(house, application: "A-2", mobile: "9876500000")
      let text = try await recognise(other, screenshot(seed: 74)).data(OneAssist.TextAnswer.self).anyText
      let read = try #require(IMEIReading(text: text ?? ""))
      #expect(try await other.lead(imei: read.primary.digits).refusal == "409 IMEI_ALREADY_COVERED POSTDTLPENDING")
    }
  }

  @Test("a picture that shows no IMEI gives no number, and what is no picture is refused")
  func garbage() async throws {
    try await OneAssistHouse.run(reading: Self.evidence) { house in
      let phone = try await InsuredPhone(house)
      let selfie = try Selfie.draw(
        of: .random(seed: 1, reference: .init(year: 2026, month: 1, day: 1)!), seed: 1,
        reference: .init(year: 2026, month: 1, day: 1)!)
      let text = try await recognise(phone, selfie.data).data(OneAssist.TextAnswer.self).anyText
      #expect(IMEIReading(text: text ?? "") == nil)
      let whole = try screenshot(seed: 75)
      var huge = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]) + Data("IHDR".utf8)
      huge += Data([0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30, 8, 2, 0, 0, 0, 0, 0, 0, 0])
      let bad: [(Data, String)] = [
        (Data("IMEI \(Self.first)".utf8), "415 IMAGE_UNSUPPORTED"), (whole.prefix(3000), "422 IMAGE_UNREADABLE"),
        (huge, "413 IMAGE_TOO_LARGE"), (whole + Data(count: OneAssistPolicy.photoMax), "422 required"),
      ]
      for (bytes, refusal) in bad {
        #expect(try await recognise(phone, bytes).refusal.lowercased() == refusal.lowercased())
      }
      #expect(house.log.leaks(of: [Self.first, Self.second]).isEmpty)
    }
  }
}
