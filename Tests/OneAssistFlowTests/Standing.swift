// SPDX-License-Identifier: Apache-2.0

import Kit
import OneAssistCore
import OneAssistWire
import Testing

extension InsuredPhone {
  /// Brings a membership whose details are stored and whose link was sent to where it is to stand.
  func bring(to status: MembershipStatus) async throws {
    switch status {
    case .detailsPending, .detailsComplete: break
    case .cancelled:
      let answer = try await app.server(.post, "/partner/v1/memberships/\(membership())/cancel")
      #expect((200...299).contains(answer.status))
    case .pending: try await photographed()
    case .reupload:
      try await photographed()
      try await decide([("BACK_IMAGE", #"{"verdict":"refuse","reason":"Dark."}"#)], verdict: "reupload")
    case .approved, .queued:
      try await photographed()
      try await decide(
        [("SCREEN_IMAGE", #"{"verdict":"accept"}"#), ("BACK_IMAGE", #"{"verdict":"accept"}"#)], verdict: "approve")
    case .rejected:
      try await photographed()
      try await decide([], verdict: #"reject","reason":"Stolen."#)
    }
    #expect(try await self.status() == status.rawValue)
  }

  /// One that is `linked`.
  init(linked app: OneAssistTestApp) async throws {
    try await self.init(app)
    try await linked()
  }

  /// Details are stored and a link was sent.
  func linked() async throws {
    try await detailed()
    #expect(try await link().status == 200)
    try await app.settle()
  }

  /// Photos come from the second phone, the front with a code that is on the screen now.
  func photographed() async throws {
    let shown = try await screen().code(at: app.clock.now.milliseconds)
    app.outside.change { $0.code = shown?.digits }
    #expect(try await upload("SCREEN_IMAGE", "front").status == 200)
    #expect(try await upload("BACK_IMAGE", "back").status == 200)
  }

  private func decide(_ photos: [(String, String)], verdict: String) async throws {
    let id = try await membership()
    for (name, decision) in photos {
      #expect(try await app.review(.post, "memberships/\(id)/documents/\(name)/decision", decision).status == 204)
    }
    let answer = try await app.review(.post, "memberships/\(id)/verdict", #"{"verdict":"\#(verdict)"}"#)
    #expect(answer.status == 200, "\(answer.json)")
  }
}
