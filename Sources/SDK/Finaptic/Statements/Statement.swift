// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A form in which a statement is given out.
public enum StatementFormat: String, CaseIterable, Codable, Hashable, Sendable {
  /// For people: tagged for screen readers, in the customer's language.
  case pdf = "PDF"
  /// For programs: camt.053.001.08 (ISO 20022).
  case camt053 = "CAMT_053"
}

/// The statement of an account for a month. Its documents never change: a statement that was wrong is followed by
/// another one, which names it.
public struct Statement: Hashable, Codable, Sendable {
  /// A form of the statement.
  public struct Document: Hashable, Codable, Sendable {
    public var format: StatementFormat
    /// SHA-256 of its bytes, in 64 hexadecimal digits.
    public var sha256: String
    /// In bytes.
    public var size: Int

    /// Creates the value from its members.
    public init(format: StatementFormat, sha256: String, size: Int) {
      (self.format, self.sha256, self.size) = (format, sha256, size)
    }
  }

  public var statementId: String
  public var accountId: String
  /// As in `2026-10`; months are those of UTC.
  public var month: String
  /// 1, and one more for each correction.
  public var revision: Int
  /// The statement that this one takes the place of.
  public var correctsStatementId: String?
  /// BCP 47.
  public var language: String
  public var createdTime: Date
  /// Without forms that this version does not know.
  public var documents: [Document]

  /// Creates the value from its members.
  public init(
    statementId: String, accountId: String, month: String, revision: Int, correctsStatementId: String? = nil,
    language: String, createdTime: Date, documents: [Document]
  ) {
    (self.statementId, self.accountId, self.month) = (statementId, accountId, month)
    (self.revision, self.correctsStatementId) = (revision, correctsStatementId)
    (self.language, self.createdTime, self.documents) = (language, createdTime, documents)
  }
}

/// What to ask `listStatements` for.
public struct ListStatementsRequest: Hashable, Codable, Sendable {
  public var accountId: String

  /// Creates the value from its members.
  public init(accountId: String) {
    self.accountId = accountId
  }
}

/// What `listStatements` answers.
public struct ListStatementsResponse: Hashable, Codable, Sendable {
  /// The latest month first, and within a month the latest revision.
  public var statements: [Statement]

  /// Creates the value from its members.
  public init(statements: [Statement]) {
    self.statements = statements
  }
}

/// What to ask `getStatement` for.
public struct GetStatementRequest: Hashable, Codable, Sendable {
  public var accountId: String
  public var statementId: String
  public var format: StatementFormat

  /// Creates the value from its members.
  public init(accountId: String, statementId: String, format: StatementFormat) {
    (self.accountId, self.statementId, self.format) = (accountId, statementId, format)
  }
}

/// What `getStatement` answers.
public struct GetStatementResponse: Hashable, Codable, Sendable {
  public var statement: Statement
  /// `application/pdf` or `application/xml`.
  public var mediaType: String
  /// The document.
  public var content: Data

  /// Creates the value from its members.
  public init(statement: Statement, mediaType: String, content: Data) {
    (self.statement, self.mediaType, self.content) = (statement, mediaType, content)
  }
}
