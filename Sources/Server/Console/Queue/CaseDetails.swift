// SPDX-License-Identifier: Apache-2.0

import Delivery
import Identity
import Kit

/// What there is to look at in a case, and what can be done about it.
package struct CaseDetails: Sendable {
  /// What is known of the person or thing, in the order to read it.
  package var facts: [Fact] = []
  /// Numbered from 1, in this order.
  package var pictures: [Picture] = []
  /// Checks over all of it.
  package var checks: [Check] = []
  /// Entries of lists that resemble the person.
  package var hits: [Hit] = []
  /// Forms that the person filled in.
  package var filled: [Filled] = []
  /// Other cases of what may be the same person, document or device.
  package var related: [Related] = []
  package var forms: [Form] = []
  /// Decisions that wait for a second person, or for who asked to carry them out.
  package var asked: [Asked] = []
  /// Where the audit tells every step of what waits; nil where it is told nowhere.
  package var chain: String?
  /// The newest lines of that chain, which `TimelineCaseSource` looks up.
  var timeline = AuditTail.none
  /// What the person was sent, the newest first, which `TimelineCaseSource` looks up.
  var messages: [SentMessage] = []

  package init() {}

  /// A decision that takes two persons.
  package struct Asked: Sendable {
    let approval: RequestedApproval
    /// The permission of who agrees.
    let permission: StaffPermission
    /// What is decided.
    let facts: [Fact]

    package init(_ approval: RequestedApproval, takes permission: StaffPermission, _ facts: [Fact]) {
      (self.approval, self.permission, self.facts) = (approval, permission, facts)
    }
  }

  /// A name of something, and what it is.
  package struct Fact: Sendable {
    package let label: Phrase
    package let value: Phrase

    package init(_ label: String, _ value: Phrase) { (self.label, self.value) = (Phrase("fact_\(label)"), value) }

    package init(labelled label: Phrase, _ value: Phrase) { (self.label, self.value) = (label, value) }

    /// - Parameter text: in whatever language. What turns the direction of writing or is not seen is left out, so that
    ///   no text turns what stands beside it. Nil gives no fact.
    package init?(_ label: String, _ text: String?) {
      guard let text = text.map({ DisplayedText.cleaned($0, lines: true) }), !text.isEmpty else { return nil }
      self.init(label, Phrase(plain: text))
    }
  }

  /// A form with its answers.
  package struct Filled: Sendable {
    let title: Phrase
    /// Which submission of it, and when.
    let note: Phrase
    let answers: [Fact]

    /// - Parameter revision: counted from 1.
    package init(_ title: Phrase, revision: Int, at instant: Instant, _ answers: [Fact]) {
      (self.title, self.answers) = (title, answers)
      note = Phrase("filled_note", ["revision": Count(revision).renderText, "time": Moment(instant).renderText])
    }
  }

  /// A picture of a document, a face or a thing.
  package struct Picture: Sendable {
    /// Faces stand side by side.
    package enum Role: Sendable { case document, face }

    package let role: Role
    package let label: Phrase
    /// What was decided or measured of it.
    package var note: Phrase?
    /// In pixels; nil where it is not known, so that nothing can be marked.
    package var size: (width: Int, height: Int)?
    package var marks: [Mark] = []
    package var fields: [Field] = []
    package var checks: [Check] = []

    package init(_ role: Role, _ label: Phrase) { (self.role, self.label) = (role, label) }

    /// - Parameter name: of what it shows; the catalogue has its words behind `picture_`.
    package init(_ role: Role, named name: String) {
      self.init(role, Phrase("picture_" + name.lowercased().replacing("-", with: "_"), otherwise: name))
    }
  }

  /// A place on a picture from which something was read.
  package struct Mark: Sendable {
    /// As `Field.name` has it.
    package let field: String
    /// Corners in pixels of the picture, one after the other.
    package let corners: [(x: Double, y: Double)]

    package init(_ field: String, _ corners: [(x: Double, y: Double)]) { (self.field, self.corners) = (field, corners) }
  }

  /// One field of a document by each of its sources.
  package struct Field: Sendable {
    package enum Agreement: Sendable { case same, unclear, different }

    package let name: String
    /// Of the machine-readable zone (ICAO Doc 9303) or of the barcode.
    package let machine: String?
    /// Of what is printed for people.
    package let printed: String?
    /// What the checks made of it: only a difference that was read with certainty on both sides is one. Nil where no
    /// check compared it.
    package let agreement: Agreement?

    package init(_ name: String, machine: String?, printed: String?, _ agreement: Agreement? = nil) {
      (self.name, self.agreement) = (name, agreement)
      self.machine = machine.map { DisplayedText.cleaned($0, lines: true) }
      self.printed = printed.map { DisplayedText.cleaned($0, lines: true) }
    }
  }

  /// One test with what came of it.
  package struct Check: Sendable {
    package let code: String
    /// pass, fail, review or inconclusive.
    package let result: String
    /// Nil where nothing was measured.
    package let score: Double?
    /// The score from which on it passes.
    package let threshold: Double?
    /// Fields or codes behind the result.
    package let reasons: [String]

    package init(
      _ code: String, _ result: String, score: Double? = nil, threshold: Double? = nil, reasons: [String] = []
    ) {
      (self.code, self.result, self.score, self.threshold, self.reasons) = (code, result, score, threshold, reasons)
    }
  }

  /// An entry of a list that resembles the person.
  package struct Hit: Sendable {
    package let caption: String
    package let list: String
    /// 0 to 1.
    package let score: Double
    package let state: Phrase
    /// Why it resembles, and what speaks against it.
    package let explanation: [Explanation]
    /// What the list says of the entry.
    package let entry: [Fact]
    /// What colleagues said of it, the oldest first.
    package let words: [Remark]

    package struct Explanation: Sendable {
      package let label: Phrase
      package let sentences: [String]

      /// - Returns: nil without a sentence.
      package init?(_ label: Phrase, _ sentences: [String]) {
        guard !sentences.isEmpty else { return nil }
        self.label = label
        self.sentences = sentences.map { DisplayedText.cleaned($0) }
      }
    }

    package struct Remark: Sendable {
      package let by: String
      package let at: Moment
      package let verdict: Phrase
      package let text: String

      package init(by: String, at: Moment, _ verdict: Phrase, _ text: String) {
        (self.by, self.at, self.verdict, self.text) = (by, at, verdict, text)
      }
    }

    package init(
      caption: String, list: String, score: Double, state: Phrase, explanation: [Explanation], entry: [Fact],
      words: [Remark]
    ) {
      (self.caption, self.list, self.score, self.state) = (DisplayedText.cleaned(caption), list, score, state)
      (self.explanation, self.entry, self.words) = (explanation, entry, words)
    }
  }

  /// Another application that shares something with this one.
  package struct Related: Sendable {
    /// What waits or waited there, by its id.
    package let subject: String
    package let state: Phrase
    /// What they share.
    package let shared: [Phrase]
    package let since: Moment
    /// The kind of records that it is looked up among; nil for what is found in the queue.
    package let repository: String?

    package init(subject: String, state: Phrase, shared: [Phrase], since: Moment, repository: String? = nil) {
      (self.subject, self.state, self.shared) = (subject, state, shared)
      (self.since, self.repository) = (since, repository)
    }
  }
}

extension CaseDetails {
  /// Something that can be decided, with what it has to be told.
  package struct Form: Sendable {
    /// Comes back as `CaseAnswer.form`.
    package let code: String
    package let title: Phrase
    package var controls: [Control] = []
    package var verdicts: [Verdict]
    /// Values that come back as they are, such as the version that was looked at.
    package var hidden: [String: String] = [:]
    /// Whether the case is over with it, so that the next one can follow.
    package var isFinal = true

    package init(_ code: String, _ title: Phrase, verdicts: [Verdict], controls: [Control] = []) {
      (self.code, self.title, self.verdicts, self.controls) = (code, title, verdicts, controls)
    }

    /// Carries out what a second person agreed to. Comes back as the verdict `carry_out`, the request as `approval`.
    /// - Returns: nil before that, and for others than who asked.
    package static func carryingOut(_ approval: RequestedApproval, by actor: String) -> Form? {
      guard approval.state == .approved, approval.maker == actor else { return nil }
      var form = Form("agreed", Phrase(act: approval.act.action), verdicts: [.init("carry_out")])
      form.hidden = ["approval": approval.id]
      return form
    }

    /// Asks for other pictures, with words for the customer who takes them. Comes back as the verdict `retake`, the
    /// words as `words`, and each picture that was chosen as `retake_` and its code.
    package static func retake(_ pictures: [(code: String, label: Phrase)], wordsMax: Int) -> Form {
      Form(
        "retake", Phrase("case_retake"), verdicts: [.init("retake")],
        controls: pictures.map { .init("retake_\($0.code)", $0.label, .tick) }
          + [.init("words", Phrase("retake_words"), .line(lengthMax: wordsMax), isRequired: true)])
    }
  }

  package struct Verdict: Sendable {
    package let code: String
    package let label: Phrase
    package let isRefusal: Bool

    /// - Parameter label: nil takes the words that the catalogue has behind `verdict_`.
    package init(_ code: String, _ label: Phrase? = nil, isRefusal: Bool = false) {
      (self.code, self.isRefusal) = (code, isRefusal)
      self.label = label ?? Phrase("verdict_" + code.replacing("-", with: "_"))
    }
  }

  /// Something that a person fills in.
  package struct Control: Sendable {
    package enum Kind: Sendable {
      /// One of several, with their codes.
      case choice([(code: String, label: Phrase)])
      case tick
      case line(lengthMax: Int)
      case words(lengthMax: Int)
    }

    package let name: String
    package let label: Phrase
    package let kind: Kind
    package let isRequired: Bool

    package init(_ name: String, _ label: Phrase, _ kind: Kind, isRequired: Bool = false) {
      (self.name, self.label, self.kind, self.isRequired) = (name, label, kind, isRequired)
    }
  }
}
