// SPDX-License-Identifier: Apache-2.0

public import Foundation

// Statements of accounts are an addition of ours: the published interface has none.
extension FinapticAPI {
  /// What `listStatements` answers: the latest month first.
  public struct StatementsResponse: Codable, Sendable, Hashable {
    public var statements: [Statement]

    /// Creates the value from its members.
    public init(statements: [Statement]) {
      self.statements = statements
    }
  }

  /// The statement of an account for a month.
  public struct Statement: Codable, Sendable, Hashable {
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
    public var createdTime: Instant
    public var documents: [StatementDocument]

    /// Creates the value from its members.
    public init(
      statementId: String, accountId: String, month: String, revision: Int, correctsStatementId: String? = nil,
      language: String, createdTime: Instant, documents: [StatementDocument]
    ) {
      (self.statementId, self.accountId, self.month) = (statementId, accountId, month)
      (self.revision, self.correctsStatementId) = (revision, correctsStatementId)
      (self.language, self.createdTime, self.documents) = (language, createdTime, documents)
    }

    enum CodingKeys: String, CodingKey {
      case month, revision, language, documents
      case statementId = "statement_id"
      case accountId = "account_id"
      case correctsStatementId = "corrects_statement_id"
      case createdTime = "created_time"
    }
  }

  /// A form of a statement. Its bytes never change.
  public struct StatementDocument: Codable, Sendable, Hashable {
    /// `PDF` or `CAMT_053`.
    public var format: String
    /// 64 hexadecimal digits.
    public var sha256: String
    /// In bytes.
    public var size: Int

    /// Creates the value from its members.
    public init(format: String, sha256: String, size: Int) {
      (self.format, self.sha256, self.size) = (format, sha256, size)
    }
  }

  /// Which document of which statement.
  public struct StatementRequest: Codable, Sendable, Hashable {
    public var accountId: String?
    public var statementId: String?
    /// `PDF` or `CAMT_053`.
    public var format: String?

    /// Creates the value from its members.
    public init(accountId: String? = nil, statementId: String? = nil, format: String? = nil) {
      (self.accountId, self.statementId, self.format) = (accountId, statementId, format)
    }

    enum CodingKeys: String, CodingKey {
      case format
      case accountId = "account_id"
      case statementId = "statement_id"
    }
  }

  /// What `getStatement` answers.
  public struct StatementResponse: Codable, Sendable, Hashable {
    public var statement: Statement
    /// `application/pdf` or `application/xml`.
    public var mediaType: String
    /// In base64.
    public var content: Data

    /// Creates the value from its members.
    public init(statement: Statement, mediaType: String, content: Data) {
      (self.statement, self.mediaType, self.content) = (statement, mediaType, content)
    }

    enum CodingKeys: String, CodingKey {
      case statement, content
      case mediaType = "media_type"
    }
  }
}
