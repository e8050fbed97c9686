// SPDX-License-Identifier: Apache-2.0

import Console
import DocumentCore
import Evidence
import Foundation
import HTTPTypes
import Kit
import OneAssistCore
import OneAssistFlow
import OneAssistWire
import Specimens
import Testing

@Suite("OneAssist: the page of the second phone")
struct UploadPageTests {
  private func linked(_ app: OneAssistTestApp) async throws -> (phone: InsuredPhone, path: String) {
    let phone = try await InsuredPhone(linked: app)
    return (phone, "/u/\(try phone.linkToken())")
  }

  private func send(_ app: OneAssistTestApp, _ path: String, _ photo: String) async throws -> OneAssistTestApp.Answer {
    let (type, body) = InsuredPhone.form([("photo", photo)])
    return try await app.call(.post, path, headers: ["Content-Type": type], body: body)
  }

  @Test("it shows what to photograph and how far that is, and nothing about the person or the number")
  func shown() async throws {
    try await OneAssistTestApp.run { app in
      let (phone, path) = try await linked(app)
      let page = try await app.call(.get, path)
      #expect(page.status == 200 && page.headers[.contentType] == "text/html; charset=utf-8")
      for text in ["Apple iPhone 14", "Front of the phone", "Back of the phone", "Bill", "0 of 2", "Missing"] {
        #expect(page.json.contains(text), "\(text)")
      }
      for secret in [
        "Asha", "Rao", OneAssistTestApp.imei, "9876543210", "9123456780", "asha@", phone.code, phone.order,
      ] {
        #expect(!page.json.contains(secret), "\(secret)")
      }
      #expect(!page.json.contains("Screenshot of the IMEI"))
      #expect(page.headers[.contentSecurityPolicy]?.contains("script-src 'self'") == true)
    }
  }

  @Test("a link is one phone's: it shows that one alone, its photos land there, and no other phone's screen counts")
  func single() async throws {
    try await OneAssistTestApp.run { app in
      let (phone, path) = try await linked(app)
      // The same person's second phone.
      let other = try await InsuredPhone(app, application: "A-2") { $0.replacing("iPhone 14", with: "iPhone 9z") }
      #expect(try await other.lead(imei: "359000110000038").status == 200)
      _ = try await other.link()
      try await app.settle()
      let otherPath = "/u/\(try other.linkToken())"
      let (page, otherPage) = (try await app.call(.get, path).json, try await app.call(.get, otherPath).json)
      #expect(page.contains("Apple iPhone 14") && !page.contains("iPhone 9z"))
      #expect(otherPage.contains("Apple iPhone 9z") && !otherPage.contains("iPhone 14"))
      #expect(try await send(app, "\(otherPath)/BACK_IMAGE", "back").status == 303)
      #expect(try await other.documents()["BACK_IMAGE"] == "UP")
      #expect(try await phone.documents().values.allSatisfy { $0 == "PN" })
      #expect(try await app.call(.get, path).json.contains("0 of 2"))
      let shown = try await phone.screen().code(at: app.clock.now.milliseconds)?.digits
      app.outside.change { $0.code = shown }
      #expect(try await send(app, "\(otherPath)/SCREEN_IMAGE", "front").status == 422)
      #expect(try await send(app, "\(path)/SCREEN_IMAGE", "front").status == 303)
      #expect(try await phone.documents()["SCREEN_IMAGE"] == "UP")
      #expect(try await other.documents()["SCREEN_IMAGE"] == "RJ")
    }
  }

  @Test("without script, photos are sent one by one, the page says what is done, and in the end that all is")
  func whole() async throws {
    try await OneAssistTestApp.run { app in
      let (phone, path) = try await linked(app)
      let first = try await send(app, "\(path)/BACK_IMAGE", "back")
      #expect(first.status == 303 && first.headers[.location] == "\(path)#BACK_IMAGE")
      // Closed and opened again, elsewhere: what is done, the server knows.
      #expect(try await app.call(.get, path).json.contains("1 of 2"))
      #expect(try await send(app, "\(path)/SCREEN_IMAGE", "front").status == 303)
      let page = try await app.call(.get, path)
      #expect(page.json.contains("All photos are in") && !page.json.contains("type=\"file\""))
      #expect(try await phone.status() == "PENDING")
    }
  }

  @Test(
    "a photo that is not taken says why, beside itself, and changes nothing",
    arguments: [
      ("blurred", 422, "The photo is blurred."), ("blank", 422, "Nothing can be seen"),
      ("small", 422, "The photo is too small"), ("noise", 422, "The file is damaged"),
      ("", 400, "Choose a photo first."),
      (String(repeating: "x", count: 5 * 1024 * 1024 + 10), 413, "larger than 5 MB"),
      (String(repeating: "x", count: 6 * 1024 * 1024), 413, "That is too large"),
    ])
  func refused(photo: String, status: Int, text: String) async throws {
    try await OneAssistTestApp.run { app in
      let (_, path) = try await linked(app)
      let answer = try await send(app, "\(path)/BACK_IMAGE", photo)
      #expect(answer.status == status && answer.json.contains(text) && answer.json.contains("role=\"alert\""))
      #expect(try await app.call(.get, path).json.contains("0 of 2"))
    }
  }

  @Test("a wrong code is said at once and stays on the page until a right one is sent")
  func code() async throws {
    try await OneAssistTestApp.run { app in
      let (phone, path) = try await linked(app)
      let screen = try await phone.screen()
      app.outside.change { $0.code = screen.code(5000).digits }
      #expect(
        try await send(app, "\(path)/SCREEN_IMAGE", "front").json.contains("The code in the photo is not the one"))
      let page = try await app.call(.get, path)
      #expect(page.json.contains("Take again") && page.json.contains("The code is not the one of this phone"))
      app.outside.change { $0.code = screen.code(at: app.clock.now.milliseconds)?.digits }
      #expect(try await send(app, "\(path)/SCREEN_IMAGE", "front 2").status == 303)
    }
  }

  @Test("a review's refusal opens the page again for that photo alone, with its reason")
  func again() async throws {
    try await OneAssistTestApp.run { app in
      let (phone, path) = try await linked(app)
      _ = try await send(app, "\(path)/BACK_IMAGE", "back")
      _ = try await send(app, "\(path)/SCREEN_IMAGE", "front")
      let id = try await phone.membership()
      for (name, decision) in [
        ("SCREEN_IMAGE", #"{"verdict":"accept"}"#),
        ("BACK_IMAGE", #"{"verdict":"refuse","reason":"Off with <the> case."}"#),
      ] { _ = try await app.review(.post, "memberships/\(id)/documents/\(name)/decision", decision) }
      _ = try await app.review(.post, "memberships/\(id)/verdict", #"{"verdict":"reupload"}"#)
      let page = try await app.call(.get, path)
      #expect(page.json.contains("Off with &lt;the&gt; case.") && page.json.contains("Accepted"))
      #expect(!page.json.contains("\(path)/SCREEN_IMAGE") && page.json.contains("\(path)/BACK_IMAGE"))
      #expect(try await send(app, "\(path)/SCREEN_IMAGE", "front 2").status == 409)
      #expect(try await send(app, "\(path)/BACK_IMAGE", "back 2").status == 303)
      #expect(try await phone.status() == "PENDING")
    }
  }

  @Test("photos that were accepted are not said to be looked at", arguments: [MembershipStatus.approved, .queued])
  func accepted(status: MembershipStatus) async throws {
    try await OneAssistTestApp.run { app in
      let plan = status == .queued ? OneAssistTestApp.planLater : OneAssistTestApp.planNow
      let phone = try await InsuredPhone(app, plan: plan)
      try await phone.detailed()
      _ = try await phone.link()
      try await app.settle()
      try await phone.bring(to: status)
      let page = try await app.call(.get, "/u/\(phone.linkToken())").json
      #expect(page.contains("The photos were accepted") && !page.contains("looked at"))
    }
  }

  @Test("links that are over or never were say so in words, and take no photo")
  func over() async throws {
    try await OneAssistTestApp.run { app in
      let (phone, path) = try await linked(app)
      app.clock.advance(by: .seconds(30))
      _ = try await phone.link()
      let old = try await app.call(.get, path)
      #expect(old.status == 410 && old.json.contains("This link is over"))
      #expect(try await send(app, "\(path)/BACK_IMAGE", "back").status == 410)
      let none = try await app.call(.get, "/u/\(String(repeating: "x", count: 43))")
      #expect(none.status == 404 && none.json.contains("There is no such page"))
      #expect(try await send(app, "/u/\(String(repeating: "x", count: 43))/BACK_IMAGE", "back").status == 404)
    }
  }

  @Test("the page's script comes from this server alone, under a name of its content")
  func script() async throws {
    try await OneAssistTestApp.run { app in
      let (_, path) = try await linked(app)
      let page = try await app.call(.get, path)
      #expect(page.json.contains(#/<script src="\/assets\/upload-[0-9a-f]{16}\.js"/#))
      #expect(page.headers[.contentSecurityPolicy]?.contains("script-src 'self'") == true)
    }
  }

  @Test("real photos are measured: a sharp one is taken and made one of ours, a blurred, small or foreign one is not")
  func evidence() async throws {
    let inspector = PhotoInspector.evidence(EvidenceReader())
    let day = try #require(CalendarDate(year: 2026, month: 11, day: 21))
    func photo(_ degrade: [Degradation]) throws -> Data {
      try #require(try Specimen.draw(.idCard, seed: 3, reference: day, degrade: degrade).images.first).picture.data
    }
    let sharp = try await inspector.inspect(try photo([Degradation(.jpeg)]))
    #expect(!sharp.isBlank && !sharp.isBlurred && sharp.bytes.prefix(2) == Data([0xff, 0xd8]))
    #expect(try await inspector.inspect(try photo([Degradation(.blur, strength: 4)])).isBlurred)
    await #expect(throws: Problem.photoUnsupported) { try await inspector.inspect(Data("GIF89a".utf8)) }
    await #expect(throws: Problem.photoUnreadable) { try await inspector.inspect(Data()) }
    let cut = try photo([Degradation(.jpeg)]).prefix(5000)
    await #expect(throws: Problem.photoUnreadable) { try await inspector.inspect(cut) }
  }
}
