// SPDX-License-Identifier: Apache-2.0

import Kit

/// What `gatehouse setup` did: told line by line while it goes on, or with `--json` as one document at its end.
struct SetupReport: Encodable {
  /// The first administrator, whose secrets are shown this once.
  struct Administrator: Encodable {
    let name, email, password, enrolmentCode: String
    /// Where they sign in.
    let address: String
    let expiresAt: String
  }

  private let isJSON: Bool
  /// What keeps the server from starting; then nothing was made.
  private(set) var faults: [String] = []
  /// Paths of the files that were written, and of what stood there before.
  private(set) var files: [String] = []
  private(set) var kept: [String] = []
  /// Paths to be backed up apart from the data; nil with `--files-only`.
  private(set) var keyring, epochKey: String?
  /// Gateways that took a test message: `mail`, `text`.
  private(set) var tested: [String] = []
  /// nil when there is one already, or when the answers name none.
  private(set) var administrator: Administrator?
  /// What is left to do before the first customer.
  private(set) var loadLists: String?

  init(isJSON: Bool) { self.isJSON = isJSON }

  enum CodingKeys: String, CodingKey {
    case faults, files, kept, keyring, epochKey, tested, administrator, loadLists
  }

  /// Words for people.
  func tell(_ words: String) {
    if !isJSON { print(words) }
  }

  func end() throws {
    if isJSON { print(try CommandJSON.document(self)) }
  }

  mutating func refuse(_ found: [String]) {
    faults = found
    for fault in found { tell("✗ \(fault)") }
    if !found.isEmpty { tell("Answer what is missing, or name in waive what the installation goes without.") }
  }

  mutating func wrote(_ path: String) {
    files.append(path)
    tell("✓ \(path)")
  }

  mutating func keeps(_ copy: String) {
    kept.append(copy)
    tell("✓ \(copy) is what was there")
  }

  mutating func made(_ store: String, keyring: String, epochKey: String) {
    (self.keyring, self.epochKey) = (keyring, epochKey)
    tell("✓ \(store) has its schema, and the key ring is \(keyring).")
  }

  mutating func took(_ what: String) {
    tested.append(what)
    tell("✓ The gateway took a test \(what).")
  }

  mutating func added(_ first: Administrator) {
    administrator = first
    tell(
      """
      ✓ \(first.name) is the first administrator. This is shown once:
          sign in at \(first.address) as \(first.email)
          password       \(first.password)
          enrolment code \(first.enrolmentCode), until \(first.expiresAt)
      """)
  }

  mutating func lacksLists(_ command: String) {
    loadLists = command
    tell("Load lists before the first customer: \(command)")
  }
}
