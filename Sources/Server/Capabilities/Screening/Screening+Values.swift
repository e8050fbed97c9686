// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Kit
import Storage

extension Screening {
  /// Who is looked for.
  package struct Subject: Sendable, Hashable, Codable {
    /// Every name that is known: as on the document, as typed, in other scripts. The first is the caption.
    package let names: [String]
    /// Nil when unknown.
    package let dateOfBirth: BirthDate?
    /// ISO 3166-1 alpha-3, or as the document says.
    package let nationalities: [String]
    /// As printed; blanks and marks do not matter.
    package let documentNumbers: [String]
    /// Nil is a person.
    package let kind: WatchList.Kind?
    /// Nil when unknown.
    package let sex: WatchList.Sex?

    package init(
      names: [String], dateOfBirth: BirthDate?, nationalities: [String], documentNumbers: [String],
      kind: WatchList.Kind? = nil, sex: WatchList.Sex? = nil
    ) {
      self.names = names
      self.dateOfBirth = dateOfBirth
      self.nationalities = nationalities
      self.documentNumbers = documentNumbers
      self.kind = kind
      self.sex = sex
    }
  }

  /// The words of the wire (rubix-onboarding §7.4).
  package enum Status: String, Sendable, CaseIterable, SQLConvertible, Codable {
    case clean
    case potentialMatch = "potential_match"
    case trueMatch = "true_match"
    case pending
    case error
  }

  /// How well two dates of birth agree, in the words of the wire.
  package enum DateOfBirthMatch: String, Sendable, Codable {
    case exact
    /// As far as both are known, or but for a slip of the pen.
    case year
    /// One of them is unknown.
    case none
    case conflict
  }

  /// What an officer makes of a hit.
  package enum Disposition: String, Sendable, Codable {
    case open
    case falsePositive = "false_positive"
    case trueMatch = "true_match"
  }

  /// A list entry that resembles the subject. Never shown to a customer: telling would be tipping off.
  package struct Hit: Sendable, Hashable, Codable {
    /// Code of the list.
    package let list: String
    /// The list's reference of the entry.
    package let entityID: String
    /// The entry's main name.
    package let caption: String
    /// 0…1, name and everything else together.
    package let score: Double
    /// What the entry is listed for, `sanction`, `role.pep`.
    package let topics: [String]
    /// 0…1, of the name alone.
    package let nameScore: Double
    /// How well the dates of birth agree.
    package let dateOfBirth: DateOfBirthMatch
    /// Whether a nationality is shared.
    package let nationality: Bool
    /// Whether a document number is shared.
    package let documentNumber: Bool
    /// Why, in words; nil of a provider, and of hits that are older than explanations.
    package let explanation: MatchExplanation?
    /// What an officer made of it.
    package var disposition = Disposition.open
    /// Officer and time of the disposition; nil while open.
    package var disposedBy: String?
    /// When that was; nil while open.
    package var disposedAt: Instant?
    /// Of all that the list said of the entry; nil of a provider, and of hits from before it was kept.
    var entryDigest: String?
    /// Whether the list gives the reference to other entries too; nil of a provider, and of hits from before that was
    /// kept.
    var isReferenceShared: Bool?

    /// Names the entry among those of all lists: by list and reference and, where other entries of the list have the
    /// same reference, by the main name.
    var entryKey: String {
      ([list, entityID] + (isReferenceShared == true ? [caption] : [])).joined(separator: "\u{0}")
    }

    package init(
      list: String, entityID: String, caption: String, score: Double, topics: [String], nameScore: Double,
      dateOfBirth: DateOfBirthMatch, nationality: Bool, documentNumber: Bool,
      explanation: MatchExplanation? = nil
    ) {
      self.list = list
      self.entityID = entityID
      self.caption = caption
      self.score = score
      self.topics = topics
      self.nameScore = nameScore
      self.dateOfBirth = dateOfBirth
      self.nationality = nationality
      self.documentNumber = documentNumber
      self.explanation = explanation
    }
  }

  /// What a search of all lists gave.
  package struct Report: Sendable, Hashable {
    /// Which lists were searched, in which version.
    package let lists: [WatchList.Version]
    /// Score from which on an entry is a hit.
    package let threshold: Double
    /// Best first; none means clean.
    package let hits: [Hit]
    /// By which rules; nil when a provider does not tell.
    package var matcher: Matcher?

    package init(lists: [WatchList.Version], threshold: Double, hits: [Hit]) {
      self.lists = lists
      self.threshold = threshold
      self.hits = hits
    }
  }

  /// How asking a provider came out.
  package enum Outcome: Sendable, Hashable {
    case screened(Report)
    /// The provider answers later, under this reference.
    case pending(referenceNo: String)
    /// Nothing was decided; never to be read as clean. The reason names files and faults, no person.
    case failed(reason: String)
  }
}
