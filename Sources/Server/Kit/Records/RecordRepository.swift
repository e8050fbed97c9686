// SPDX-License-Identifier: Apache-2.0

/// What a flow keeps of one kind, for staff who look something up: pages of it, and one by itself. Nothing is changed.
package protocol RecordRepository: Sendable {
  /// As a path has it, in small letters.
  var kind: String { get }
  /// What rows can be filtered by, in the order in which they follow.
  var states: [String] { get }

  /// The newest first. The look is audited.
  func page(_ question: RecordQuestion, for reader: RecordReader) async throws -> RecordPage

  /// The look is audited.
  /// - Throws: `Problem` not-found, also for what is at another desk; forbidden for one's own.
  func record(_ id: String, for reader: RecordReader) async throws -> RecordFile
}

/// A repository of which records something can be done, each time with a reason.
package protocol ActingRepository: RecordRepository {
  /// Codes of why something is done, in the order of the form.
  func reasons(of act: RecordAct) -> [String]

  /// Does it, in the rules and with the audit lines of the commands. The same again changes nothing.
  /// - Parameters:
  ///   - act: one of the record's.
  ///   - id: of the record.
  ///   - reason: one of `reasons(of:)`.
  /// - Returns: false when a second person has to agree first; the same again does it after they agreed.
  /// - Throws: `Problem` not-found, also for what is at another desk and what is not the record's; forbidden for one's
  ///   own; validation for another reason; conflict.
  func act(_ act: RecordAct, of id: String, because reason: String, for reader: RecordReader) async throws -> Bool
}

/// Something that can be done about a record.
package struct RecordAct: Sendable, Equatable {
  /// In small letters and hyphens.
  package let code: String
  /// The id of what it is done to.
  package let subject: String
  /// What the reader asked a second person for; nil when nothing waits.
  package var asked: Asked?
  /// What is filled in besides the reason, in the order of the form.
  package var fields: [RecordField] = []
  /// What was filled in, or stands in the form at first, by the codes of the fields.
  package var filled: [String: String] = [:]
  /// A UUID under which it is done once, where the same again would do it twice; nil where it changes nothing.
  package var key: String?
  /// Whose words its reasons have on a page.
  package var reasonTopic = "stop"

  /// An act that takes a second person, with the code of the reason that they are told.
  package struct Asked: Sendable, Equatable {
    package let reason: String
    /// Whether that person agreed: the same again does it.
    package let isAgreed: Bool

    package init(_ reason: String, isAgreed: Bool) { (self.reason, self.isAgreed) = (reason, isAgreed) }
  }

  package init(_ code: String, _ subject: String, asked: Asked? = nil) {
    (self.code, self.subject, self.asked) = (code, subject, asked)
  }
}

/// Why somebody looks at records, as far as the way tells on which they came: no reader has to type it.
package enum RecordAccess: String, Sendable, CaseIterable {
  /// They searched for an identifier.
  case search
  /// They went through a list.
  case list
  /// A case that they were at named it.
  case `case`
  /// Something about it waits for their agreement.
  case approval
  /// They did something about it.
  case act
  /// They look at the whole and at no record: figures, or the newest lines of the audit.
  case overview
  /// None of these: by an address that does not tell. One that was kept tells the way on which it was found.
  case direct

  /// As a fact of an audit line.
  package var facts: [String: String] { ["why": rawValue] }
}

/// Who looks.
package struct RecordReader: Sendable {
  /// The audit chain that lines about the looks belong to: the member's id.
  package let chain: String
  /// How audit lines name them.
  package let actor: String
  /// Staff do not look at what is kept of themselves.
  package let email: String
  package let scope: TenantScope
  /// Why they look.
  package let why: RecordAccess

  package init(chain: String, actor: String, email: String, scope: TenantScope, why: RecordAccess = .direct) {
    (self.chain, self.actor, self.email, self.scope, self.why) = (chain, actor, email, scope, why)
  }

  /// What the line of a look at one record tells besides.
  package var looked: [String: String] { why.facts }

  /// The same of a page of a kind.
  package func listed(_ kind: String) -> [String: String] { ["kind": kind, "why": why.rawValue] }

  /// - Parameter name: of the person: an e-mail address, or the name that the bank gives; nil when none is known.
  /// - Throws: `Problem` forbidden for one's own case.
  package func requireOther(than name: String?) throws {
    guard let name, StaffNames(email: email, id: chain).contains(name) else { return }
    throw Problem(.forbidden, "forbidden", "This is your own case.")
  }
}

/// Whose rows belong to a desk.
package struct TenantScope: Sendable, Equatable {
  /// The tenants that are in, or those that are out.
  package let names: [String]
  package let isOnly: Bool

  package static func only(_ tenant: String) -> TenantScope { TenantScope(names: [tenant], isOnly: true) }

  /// Every tenant but those.
  package static func allBut(_ tenants: [String]) -> TenantScope {
    // A list of no values is no SQL; no tenant has an empty name.
    TenantScope(names: tenants.isEmpty ? [""] : tenants, isOnly: false)
  }

  package func contains(_ tenant: String) -> Bool { names.contains(tenant) == isOnly }
}

/// What a page of records is asked for.
package struct RecordQuestion: Sendable {
  package static let pageMax = 25

  /// One of the repository's; nil is all.
  package let state: String?
  /// An exact identifier of what is kept, such as a number of an order or of a phone.
  package let name: String?
  /// `RecordPage.next` of the page before.
  package let after: String?

  /// - Parameter name: what holds other characters than identifiers do finds nothing.
  package init(state: String? = nil, name: String? = nil, after: String? = nil) {
    (self.state, self.name) = (state, name)
    self.after = after.flatMap { Self.isName($0) ? $0 : nil }
  }

  /// Whether a text may name something: what comes from outside reaches no statement otherwise.
  package static func isName(_ text: String) -> Bool { text.wholeMatch(of: /[A-Za-z0-9._:@+\/-]{1,128}/) != nil }
}

package struct RecordPage: Sendable {
  package let rows: [RecordRow]
  /// Where the next page begins; nil after the last.
  package let next: String?

  /// - Parameters:
  ///   - rows: one more than a page where another one follows.
  ///   - place: of a row, for a reader who goes on behind it.
  package init(_ rows: [RecordRow], place: (RecordRow) -> String = { $0.id }) {
    let page = Array(rows.prefix(RecordQuestion.pageMax))
    (self.rows, next) = (page, rows.count > page.count ? page.last.map(place) : nil)
  }

  /// A page of a search that knows itself where it goes on.
  init(rows: [RecordRow], next: String?) { (self.rows, self.next) = (rows, next) }
}

/// A line of a page. It holds nothing of a person.
package struct RecordRow: Sendable, Equatable {
  package let id: String
  /// As people call it.
  package let name: String
  package let tenant: String
  package let state: String
  package let at: Instant

  package init(id: String, name: String, tenant: String, state: String, at: Instant) {
    (self.id, self.name, self.tenant, self.state, self.at) = (id, name, tenant, state, at)
  }
}

/// One by itself.
package struct RecordFile: Sendable {
  package let row: RecordRow
  /// Codes of what is known, and what it is, in the order to read it.
  package let facts: [(code: String, value: String)]
  /// Codes of longer texts, such as what a customer was shown, and the texts.
  package let texts: [(code: String, text: String)]
  /// The subjects of cases about it.
  package let subjects: [String]
  /// What can be done about it, of a repository that acts.
  package var acts: [RecordAct] = []
  /// Its moves and looks.
  package let chain: String

  /// - Parameters: values that are nil or empty give no line.
  package init(
    _ row: RecordRow, facts: [(code: String, value: String?)], texts: [(code: String, text: String?)] = [],
    subjects: [String], chain: String
  ) {
    (self.row, self.subjects, self.chain) = (row, subjects, chain)
    self.facts = facts.compactMap { fact in fact.value.flatMap { $0.isEmpty ? nil : (fact.code, $0) } }
    self.texts = texts.compactMap { text in text.text.flatMap { $0.isEmpty ? nil : (text.code, $0) } }
  }
}
