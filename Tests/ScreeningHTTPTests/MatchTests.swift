// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Identity
import Kit
import Screening
import Testing
import TestSupport

@Suite("Screening API: searches of other servers")
struct MatchTests {
  @Test("one query is answered with what it resembles and why, and with what was searched and how")
  func one() async throws {
    var policy = MatchingPolicy.standard
    policy.threshold = 0.88
    let nameMin = policy.nameMin
    let digest = try Screening.Matcher(policy).policyDigest
    try await ScreeningTestApp.run(policy: policy) { app in
      let more = #","date_of_birth":"1964-08-12","nationalities":["NZ"],"kind":"person","sex":"male","id":"q-1""#
      let found = try await app.found("Ansgar Quillon Driftwell", more)
      #expect(found.row == 0 && found.id == "q-1" && found.status == "potential_match" && found.error == nil)
      let best = try #require(found.answers.first)
      #expect(best.ref == "1" && best.list == "OWN" && best.name == "Ansgar Quillon Driftwell" && best.match)
      #expect(best.score >= 0.88 && !best.explanation.name.isEmpty && !best.explanation.confirms.isEmpty)
      #expect(found.lists == [.init(code: "OWN", version: "v1")])
      #expect(found.matcher.version == Screening.Matcher.currentVersion && found.matcher.policy == digest)
      #expect(found.thresholds.match == 0.88 && found.thresholds.name == nameMin)

      let clean = try await app.found("Wilhelmina Sauerbrey-Okonkwo")
      #expect(clean.status == "clean" && !clean.answers.contains { $0.match } && clean.lists == found.lists)
      let document = try await app.found("Wilhelmina Sauerbrey-Okonkwo", #","document_numbers":["lx 00 44-11"]"#)
      #expect(document.status == "potential_match" && document.answers.first?.ref == "1")
    }
  }

  @Test("a batch is answered line by line in its order, and each line names what was searched")
  func batch() async throws {
    try await ScreeningTestApp.run { app in
      let answer = try await app.match(
        """
        {"limit":1,"queries":[{"id":"a","names":["Ottilie Vanterpoole"],"date_of_birth":"1948-12-10"},
        {"names":["Wilhelmina Sauerbrey-Okonkwo"]},{"id":"c","names":["…"]},
        {"names":["Nemo Nullmann","Ansgar Quillon Driftwell"],"date_of_birth":"12 Aug 1964"}]}
        """)
      #expect(answer.status == 200 && answer.contentType?.hasPrefix("application/jsonl") == true)
      let lines = try answer.lines()
      #expect(lines.map(\.row) == [0, 1, 2, 3] && lines.map(\.id) == ["a", nil, "c", nil])
      #expect(lines.map(\.status) == ["potential_match", "clean", "error", "potential_match"])
      #expect(lines.map(\.error) == [nil, nil, "unreadable-name", nil])
      #expect(lines.allSatisfy { $0.lists == [.init(code: "OWN", version: "v1")] && $0.answers.count <= 1 })
    }
  }

  @Test("a thousand queries are answered whole, in pieces; one more is refused")
  func thousand() async throws {
    try await ScreeningTestApp.run { app in
      func body(_ count: Int) -> String {
        #"{"limit":1,"queries":["#
          + (1...count).map { #"{"id":"\#($0)","names":["Ottilie Vanterpoole"]}"# }
          .joined(separator: ",") + "]}"
      }
      let lines = try await app.match(body(1_000)).lines()
      #expect(lines.map(\.row) == Array(0..<1_000) && lines.map(\.id) == (1...1_000).map { "\($0)" })
      let refused = try await app.match(body(1_001))
      #expect(refused.status == 422 && refused.pointers == ["/queries"])
      #expect(try await app.match(#"{"queries":[]}"#).pointers == ["/queries"])
    }
  }

  @Test("without a list there is no answer, and with the next version there is another one")
  func lists() async throws {
    try await ScreeningTestApp.run(list: nil) { app in
      let one = #"{"query":{"names":["Tamsyn Okavelloe"]}}"#
      for body in [one, #"{"queries":[{"names":["Tamsyn Okavelloe"]}]}"#] {
        let answer = try await app.match(body)
        #expect(answer.status == 503 && answer.problem == "unavailable")
      }
      #expect(try await app.call(.get, "entities/1").status == 503)
      #expect(try await app.story().allSatisfy { $0.action != "screening.searched" })
      try await app.load(ScreeningTestApp.first, version: "v1")
      #expect(try await app.found("Tamsyn Okavelloe Ashgrove").status == "clean")
      try await app.load(ScreeningTestApp.first + "3,Tamsyn Okavelloe Ashgrove,,,,\n", version: "v2")
      let found = try await app.found("Tamsyn Okavelloe Ashgrove")
      #expect(found.answers.first?.ref == "3" && found.lists == [.init(code: "OWN", version: "v2")])
    }
  }

  @Test("hits beyond the limit are told")
  func more() async throws {
    let rows = (1...7).map { "\($0),Ansgar Quillon Driftwell,1964-08-12\n" }.joined()
    try await ScreeningTestApp.run(list: "ref,name,dob\n" + rows) { app in
      let born = #","date_of_birth":"1964-08-12""#
      let usual = try await app.found("Ansgar Quillon Driftwell", born)
      #expect(usual.answers.count == 5 && usual.more_matches)
      let body = #"{"limit":7,"query":{"names":["Ansgar Quillon Driftwell"],"date_of_birth":"1964-08-12"}}"#
      let all = try await app.match(body).read(as: FoundAnswer.self)
      #expect(all.answers.count == 7 && !all.more_matches)
    }
  }

  @Test("each call is a line of the audit log, with codes and counts and without names")
  func audited() async throws {
    try await ScreeningTestApp.run { app in
      _ = try await app.found("Ottilie Vanterpoole")
      _ = try await app.match(#"{"queries":[{"names":["Ottilie Vanterpoole"]},{"names":["Nemo Nullmann"]}]}"#)
      let lines = try await app.story().filter { $0.action == "screening.searched" }
      #expect(lines.map { $0.facts["queries"] } == ["1", "2"])
      #expect(lines.allSatisfy { $0.actor == app.issued.client.actor && $0.facts["lists"] == "OWN v1" })
      #expect(lines.allSatisfy { $0.facts["threshold"] == "0.85" && $0.facts["matcher"] != nil })
      #expect(!lines.contains { "\($0.facts)".contains("Vanterpoole") })
    }
  }

  @Test("without credentials and without the scope there is no answer")
  func credentials() async throws {
    let body = #"{"query":{"names":["Ottilie Vanterpoole"]}}"#
    try await ScreeningTestApp.run(scopes: [.manage, .verify, .review]) { app in
      for answer in [try await app.match(body), try await app.call(.get, "entities/1")] {
        #expect(answer.status == 403 && answer.problem == "forbidden")
      }
    }
    try await ScreeningTestApp.run { app in
      for (method, path) in [(HTTPRequest.Method.post, "match"), (.get, "entities/1")] {
        let text = method == .post ? body : nil
        for wrong in ["Basic bm9ib2R5OngK", "Bearer x"] {
          #expect(try await app.call(method, path, text, authorization: wrong).problem == "credentials-invalid")
        }
      }
      try await app.clients.revoke(app.issued.client.id, by: "test")
      #expect(try await app.match(body).status == 401)
    }
  }

  @Test(
    "what is not acceptable is refused where it stands, and nothing is searched",
    arguments: [
      ("{}", ["/query"]), (#"{"query":null,"queries":null}"#, ["/query"]),
      (#"{"query":{"names":["A B"]},"queries":[{"names":["A B"]}]}"#, ["/queries"]),
      (#"{"query":{"names":[]}}"#, ["/query/names"]), (#"{"query":{"names":["A B",""]}}"#, ["/query/names/1"]),
      (#"{"query":{"names":["A B"],"kind":"robot","sex":"x"}}"#, ["/query/kind", "/query/sex"]),
      (#"{"query":{"names":["A B"],"date_of_birth":"31.12.1970"}}"#, ["/query/date_of_birth"]),
      (#"{"query":{"names":["A B"],"nationalities":["NZ","ZZZ"]}}"#, ["/query/nationalities/1"]),
      (#"{"queries":[{"names":["A B"]},{"names":["A B"],"nationalities":["Q"]}]}"#, ["/queries/1/nationalities/0"]),
      (#"{"query":{"names":["A B"]},"limit":0}"#, ["/limit"]), (#"{"query":{"names":["A B"]},"limit":51}"#, ["/limit"]),
      (#"{"queries":[{"names":["A B"]},{"names":["A B"],"id":""}]}"#, ["/queries/1/id"]),
      (#"{"query":{"names":"A B"}}"#, ["/query/names"]), (#"{"query":{}}"#, ["/query/names"]),
    ])
  func refused(body: String, pointers: [String]) async throws {
    try await ScreeningTestApp.run { app in
      let answer = try await app.match(body)
      #expect(answer.status == 422 && answer.pointers == pointers)
      #expect(try await app.story().allSatisfy { $0.action != "screening.searched" })
    }
  }

  @Test("unknown members, other media and large bodies are refused")
  func unreadable() async throws {
    try await ScreeningTestApp.run { (app) async throws in
      #expect(try await app.match("{").problem == "invalid-json")
      #expect(try await app.match(#"{"query":{"names":["A B"],"name":"A B"}}"#).problem == "unknown-field")
      #expect(try await app.match(#"{"query":{"names":["A B"]},"threshold":0.1}"#).problem == "unknown-field")
      let long = String(repeating: "x", count: 1024 * 1024)
      #expect(try await app.match(#"{"query":{"names":["\#(long)"]}}"#).status == 413)
    }
  }
}
