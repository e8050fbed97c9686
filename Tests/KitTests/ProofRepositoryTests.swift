// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Kit

@Suite("Kit: proofs that only the audit log tells of")
struct ProofRepositoryTests {
  @Test("pages go through the lines of every action once, the newest first, and of one's own desk only")
  func pages() async throws {
    let log = try await AuditLog(.current)
    // Ids of the second kind end in the desk that they are of.
    let many = 700
    for number in 0..<many {
      // One in a hundred is of the small desk.
      let desk = number.isMultiple(of: 100) ? "small" : "large"
      let (kind, action) = number.isMultiple(of: 3) ? ("two:", "b") : ("one:", number.isMultiple(of: 2) ? "a" : "a.not")
      let facts = number.isMultiple(of: 7) ? ["n": "\(number)"] : ["n": "\(number)", "factor": "yes"]
      try await log.append(action, to: "\(kind)\(number % 5).\(desk)", facts: facts)
      if number.isMultiple(of: 4) { log.clock.advance(by: .seconds(1)) }
    }
    func source(_ action: String, _ prefix: String) -> ProofRepository.Source {
      .init(
        verified: action, refused: "\(action).not", prefix: prefix, isProof: { $0.facts["factor"] != nil }
      ) { id, _ in
        id.split(separator: ".").last.map { ProofRepository.Owner(tenant: String($0), user: id) }
      }
    }
    let core = CoreDependencies(
      database: log.made.database, world: log.clock.world, vault: log.vault, blobs: MemoryBlobs(log.clock.world).blobs)
    let repository = ProofRepository(core, [source("a", "one:"), source("b", "two:")])
    for (desk, state) in [("large", nil), ("small", nil), ("large", "refused"), ("none", nil)] as [(String, String?)] {
      let reader = RecordReader(chain: "reader", actor: "agent:1", email: "r@bank.example", scope: .only(desk))
      var (found, after, pages) = ([RecordRow](), String?.none, 0)
      repeat {
        let page = try await repository.page(.init(state: state, after: after), for: reader)
        (found, after, pages) = (found + page.rows, page.next, pages + 1)
      } while after != nil && pages < 100
      let expected = (0..<many).filter { number in
        (number.isMultiple(of: 100) ? "small" : "large") == desk && !number.isMultiple(of: 7)
          && (state == nil || !number.isMultiple(of: 3) && !number.isMultiple(of: 2))
      }
      #expect(after == nil && found.count == expected.count && Set(found.map(\.id)).count == found.count, "\(desk)")
      #expect(zip(found, found.dropFirst()).allSatisfy { $0.at >= $1.at })
      guard desk == "small", let own = found.first else { continue }
      // Staff do not read their own, by whatever of their names the flow knows them.
      let user = String(own.name.dropFirst("one:".count))
      for (id, email) in [("reader", "\(user)@bank.example"), (user.uppercased(), "r@bank.example")] {
        let owner = RecordReader(chain: id, actor: "agent:1", email: email, scope: .only(desk))
        let refusal = await #expect(throws: Problem.self) { _ = try await repository.record(own.id, for: owner) }
        #expect(refusal?.code == "forbidden")
      }
      #expect(try await repository.record(own.id, for: reader).row.id == own.id)
    }
  }
}
