// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Kit
import Storage
import Testing
import TestSupport

@testable import Identity

/// A store with staff in it, at an instant that the test moves. Hashes are cheap here.
struct StaffTestApp {
  static let password = "correct horse battery"
  static let cheap = PasswordCost(memory: 8, passes: 1)

  let clock = MovableClock()
  let store: TestDatabase
  let vault: Vault
  let core: CoreDependencies
  let staff: Staff

  var database: any SQLDatabase { store.database }

  init() async throws {
    store = try await TestDatabase.make(
      .current,
      [DataKeyStore.migration, SessionStore.migration, RateCounterStore.migration]
        + AuditStore.migrations + Staff.migrations)
    let database = store.database
    vault = try await Vault.open(database, keyring: Keyring(world: clock.world), world: clock.world)
    core = CoreDependencies(
      database: database, world: clock.world, vault: vault, blobs: MemoryBlobs(clock.world).blobs)
    staff = Staff(core: core, threads: BlockingThreadPool("test", width: 2), cost: Self.cheap)
  }

  func add(
    email: String = "agent@example.com", password: String = Self.password, tenant: String = "bank",
    permissions: Set<StaffPermission> = [.attendVideo, .readCustomers]
  ) async throws -> StaffMember {
    try await staff.add(
      NewStaffMember(
        tenant: tenant, email: email, name: "Noor Haddad", gender: .female, languages: ["ar", "en"],
        permissions: permissions, password: password), by: "operator")
  }

  func signIn(
    _ password: String = Self.password, email: String = "agent@example.com", tenant: String = "bank"
  ) async throws -> StaffAuthentication<StaffMember> {
    try await staff.authenticate(email: email, password: password, tenant: tenant)
  }

  func storedHash() async throws -> String {
    try await database.read { try $0.first("SELECT password_hash FROM staff")?.get("password_hash") ?? "" }
  }
}

@Suite("Staff: signing in")
struct StaffSignInTests {
  @Test("the right password is accepted, whatever the case of the address")
  func accepted() async throws {
    let app = try await StaffTestApp()
    let member = try await app.add()
    #expect(try await app.signIn() == .accepted(member))
    #expect(try await app.signIn(email: "Agent@Example.COM") == .accepted(member))
    #expect(try await app.staff.find(member.id) == member)
    #expect(member.permissions.contains(.attendVideo) && !member.permissions.contains(.decideAML))
  }

  @Test("the same password typed in another Unicode form is the same password")
  func normalized() async throws {
    let app = try await StaffTestApp()
    let member = try await app.add(password: "pâssword of caf\u{e9}")
    #expect(try await app.signIn("pâssword of cafe\u{301}") == .accepted(member))
  }

  @Test("a wrong password, an unknown address and another tenant are refused alike")
  func refused() async throws {
    let app = try await StaffTestApp()
    _ = try await app.add()
    #expect(try await app.signIn("wrong horse battery") == .refused)
    #expect(try await app.signIn(email: "nobody@example.com") == .refused)
    #expect(try await app.signIn(tenant: "other") == .refused)
    #expect(try await app.signIn(String(repeating: "x", count: 1_000_000)) == .refused)
  }

  @Test("a member who is not active is refused, and accepted when active again")
  func inactive() async throws {
    let app = try await StaffTestApp()
    let member = try await app.add()
    try await app.database.write { [staff = app.staff] in
      try staff.setActive(false, of: member.id, by: "operator", in: $0)
    }
    #expect(try await app.signIn() == .refused)
    try await app.database.write { [staff = app.staff] in
      try staff.setActive(true, of: member.id, by: "operator", in: $0)
    }
    #expect(try await app.signIn() == .accepted(member))
  }

  @Test(
    "five wrong passwords lock an address for 15 minutes, known or not, even for the right password",
    arguments: ["agent@example.com", "nobody@example.com"])
  func locked(email: String) async throws {
    let app = try await StaffTestApp()
    let member = try await app.add()
    for _ in 1...5 { #expect(try await app.signIn("wrong horse battery", email: email) == .refused) }
    #expect(try await app.signIn(email: email) == .locked(retryAfter: .minutes(15)))
    app.clock.advance(.minutes(15) - .milliseconds(1))
    #expect(try await app.signIn(email: email) == .locked(retryAfter: .milliseconds(1)))
    app.clock.advance(.milliseconds(1))
    #expect(try await app.signIn(email: email) == (email == member.email ? .accepted(member) : .refused))
  }

  @Test("wrong passwords further apart than 15 minutes, or before a right one, do not add up")
  func notLocked() async throws {
    let app = try await StaffTestApp()
    let member = try await app.add()
    for _ in 1...3 {
      for _ in 1...4 { #expect(try await app.signIn("wrong horse battery") == .refused) }
      #expect(try await app.signIn() == .accepted(member))
    }
    for _ in 1...3 {
      for _ in 1...4 { #expect(try await app.signIn("wrong horse battery") == .refused) }
      app.clock.advance(.minutes(15))
    }
  }

  @Test("of twenty wrong passwords at once five are compared")
  func race() async throws {
    let app = try await StaffTestApp()
    _ = try await app.add()
    let refused = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<20 { group.addTask { try await app.signIn("wrong horse battery") == .refused } }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(refused == 5)
  }

  @Test("a sign-in after the price of a guess went up stores a dearer hash")
  func rehash() async throws {
    let app = try await StaffTestApp()
    let member = try await app.add()
    let old = try await app.storedHash()
    #expect(old.hasPrefix("$argon2id$v=19$m=8,t=1,p=1$"))
    let dearer = Staff(
      core: app.core, threads: BlockingThreadPool("test", width: 1), cost: PasswordCost(memory: 8, passes: 3))
    #expect(try await dearer.authenticate(email: member.email, password: "wrong", tenant: "bank") == .refused)
    #expect(try await app.storedHash() == old)
    #expect(
      try await dearer.authenticate(email: member.email, password: StaffTestApp.password, tenant: "bank")
        == .accepted(member))
    #expect(try await app.storedHash().hasPrefix("$argon2id$v=19$m=8,t=3,p=1$"))
    // A server with the older setting still signs in, and does not make the hash cheaper again.
    #expect(try await app.signIn() == .accepted(member))
    #expect(try await app.storedHash().hasPrefix("$argon2id$v=19$m=8,t=3,p=1$"))
  }

  @Test("a password that was stored as scrypt is right, and is stored as Argon2id when it is used")
  func scrypt() async throws {
    let app = try await StaffTestApp()
    let member = try await app.add()
    let former = "$scrypt$ln=4,r=8,p=1$c2l4dGVlbiBieXRlcyBvaw$2dhDbBPf0G7HVf/IU/ZWpmd90amrlaRDod4QxlBVJFg"
    try await app.database.write { _ = try $0.execute("UPDATE staff SET password_hash = \(former)") }
    #expect(try await app.signIn("wrong horse battery") == .refused)
    #expect(try await app.storedHash() == former)
    #expect(try await app.signIn() == .accepted(member))
    #expect(try await app.storedHash().hasPrefix("$argon2id$v=19$m=8,t=1,p=1$"))
    #expect(try await app.signIn() == .accepted(member))
  }

  @Test("of sign-ins side by side with a password that is stored anew, all are accepted")
  func scryptAtOnce() async throws {
    let app = try await StaffTestApp()
    let member = try await app.add()
    let former = "$scrypt$ln=10,r=8,p=1$c2l4dGVlbiBieXRlcyBvaw$A553ShwI3q7HlAym+dsR6+Pd5TL9Gfv2k2WBH1f/Lpw"
    try await app.database.write { _ = try $0.execute("UPDATE staff SET password_hash = \(former)") }
    let accepted = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<4 { group.addTask { try await app.signIn() == .accepted(member) } }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(accepted == 4)
  }

  @Test("where a password cannot be hashed, a sign-in is to come again, and counts as no wrong one")
  func unhashable() async throws {
    let app = try await StaffTestApp()
    // Argon2 has no less than 8 KiB.
    let staff = Staff(
      core: app.core, threads: BlockingThreadPool("test", width: 1), cost: PasswordCost(memory: 7, passes: 1))
    for _ in 0..<7 {
      await #expect(throws: Problem.unavailable.with { $0.retryAfterSeconds = 1 }) {
        try await staff.authenticate(email: "other@example.com", password: StaffTestApp.password, tenant: "bank")
      }
    }
  }

  @Test("a new password replaces the old one and ends a lock")
  func setPassword() async throws {
    let app = try await StaffTestApp()
    let member = try await app.add()
    for _ in 1...5 { _ = try await app.signIn("wrong horse battery") }
    try await app.staff.setPassword("another horse entirely", of: member.id, by: "operator")
    #expect(try await app.signIn() == .refused)
    #expect(try await app.signIn("another horse entirely") == .accepted(member))
  }

  @Test("the shipped price hashes and verifies")
  func standardCost() async throws {
    let app = try await StaffTestApp()
    let staff = Staff(core: app.core, threads: BlockingThreadPool("test", width: 1))
    let member = try await staff.add(
      NewStaffMember(
        tenant: "bank", email: "dear@example.com", name: "Dear", gender: .male, languages: ["en"], permissions: [],
        password: StaffTestApp.password), by: "operator")
    #expect(
      try await staff.authenticate(email: member.email, password: StaffTestApp.password, tenant: "bank")
        == .accepted(member))
    #expect(try await app.storedHash().hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
  }
}

@Suite("Staff: adding")
struct StaffAddTests {
  @Test("an address is taken once in a tenant and free in another")
  func unique() async throws {
    let app = try await StaffTestApp()
    _ = try await app.add()
    await #expect(throws: Problem(.conflict, "staff-exists", "There is a staff member with this e-mail address.")) {
      try await app.add(email: "AGENT@example.com")
    }
    _ = try await app.add(tenant: "other")
    #expect(try await app.staff.list(tenant: "bank").count == 1)
  }

  @Test("a name has 120 characters as a schema counts them, however few letters a reader sees")
  func names() throws {
    func check(syllables: Int) throws {
      // One of Hangul, of three scalars.
      let name = String(repeating: "\u{1100}\u{1161}\u{11a8}", count: syllables)
      try StaffRules.check(
        tenant: "bank", email: "agent@example.com", name: name, languages: ["ko"], permissions: [])
    }
    try check(syllables: 40)
    let problem = #expect(throws: Problem.self) { try check(syllables: 41) }
    #expect(problem?.fields.map(\.pointer) == ["/name"])
  }

  @Test(
    "a password that is short, of few characters, well known, or made of name and address is refused",
    arguments: [
      "elevenchars", "fourteen chars", "aaaaaaaaaaaaaaaa", "agent@example.com!", String(repeating: "abcd", count: 65),
      "Password123456789!", "qwertyuiop asdfghjkl", "PasswordPassword1234", "Noor Haddad 2026 !!",
      "correcthorsebatterystaple",
      "welcome to gatehouse bank",
    ])
  func weak(password: String) async throws {
    let app = try await StaffTestApp()
    let problem = try #require(await #expect(throws: Problem.self) { try await app.add(password: password) })
    #expect(problem.code == "validation-failed")
    #expect(problem.fields.map(\.pointer) == ["/password"])
  }

  @Test("a permission is two words with a colon", arguments: ["attend", "attend:", "a b:c", "A:b", "a:b:c", ""])
  func permissions(text: String) async throws {
    let app = try await StaffTestApp()
    let problem = try #require(
      await #expect(throws: Problem.self) { try await app.add(permissions: [StaffPermission(rawValue: text)]) })
    #expect(problem.fields.map(\.pointer) == ["/permissions"])
  }

  @Test("permissions change, and those of an unknown member do not")
  func setPermissions() async throws {
    let app = try await StaffTestApp()
    let member = try await app.add()
    try await app.database.write { [staff = app.staff] in
      try staff.setPermissions([.manageStaff], of: member.id, by: "operator", in: $0)
    }
    #expect(try await app.staff.find(member.id).permissions == [.manageStaff])
    await #expect(throws: Problem.notFound) {
      try await app.database.write { [staff = app.staff] in
        try staff.setPermissions([], of: .init(rawValue: "nobody"), by: "operator", in: $0)
      }
    }
    await #expect(throws: Problem.notFound) { try await app.staff.find(.init(rawValue: "nobody")) }
  }

  @Test("address, name and password are nowhere in the database's files")
  func sealed() async throws {
    let app = try await StaffTestApp()
    _ = try await app.add()
    let bytes = try await app.store.bytesOnDisk()
    for secret in ["agent@example.com", "Haddad", StaffTestApp.password] {
      #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(secret)")
    }
  }

  @Test("work beyond what the lanes hold is refused and not queued")
  func bounded() async throws {
    let threads = BlockingThreadPool("test", width: 1, pendingMax: 1)
    // One lane that holds one call: while it runs, the next is refused.
    let refused = try await threads.run { () -> Bool in
      let semaphore = DispatchSemaphore(value: 0)
      let outcome = ResultBox()
      Task {
        do { _ = try await threads.run { 2 } } catch { outcome.set(error is BlockingThreadPoolFull) }
        semaphore.signal()
      }
      semaphore.wait()
      return outcome.value
    }
    #expect(refused)
    #expect(try await threads.run { 3 } == 3)
  }
}
