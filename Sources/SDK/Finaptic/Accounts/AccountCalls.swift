// SPDX-License-Identifier: Apache-2.0

/// What to ask `listAccounts` for.
public struct ListAccountsRequest: Hashable, Codable, Sendable {
  /// 1 or more.
  public var pageSize: Int
  /// Nil for the first page.
  public var pageToken: String?

  /// Creates the value from its members.
  public init(pageSize: Int, pageToken: String? = nil) {
    (self.pageSize, self.pageToken) = (pageSize, pageToken)
  }
}

/// What `listAccounts` answers.
public struct ListAccountsResponse: Hashable, Codable, Sendable {
  public var accounts: [Account]
  /// Nil at the end.
  public var nextPageToken: String?

  /// Creates the value from its members.
  public init(accounts: [Account], nextPageToken: String? = nil) {
    (self.accounts, self.nextPageToken) = (accounts, nextPageToken)
  }
}

/// What to ask `getAccount` for.
public struct GetAccountRequest: Hashable, Codable, Sendable {
  public var accountId: String

  /// Creates the value from its members.
  public init(accountId: String) {
    self.accountId = accountId
  }
}

/// What to ask `listAuthorizedUsers` for.
public struct ListAuthorizedUsersRequest: Hashable, Codable, Sendable {
  public var accountId: String

  /// Creates the value from its members.
  public init(accountId: String) {
    self.accountId = accountId
  }
}

/// What `listAuthorizedUsers` answers.
public struct ListAuthorizedUsersResponse: Hashable, Codable, Sendable {
  /// Ids of customers.
  public var authorizedUsers: [String]

  /// Creates the value from its members.
  public init(authorizedUsers: [String]) {
    self.authorizedUsers = authorizedUsers
  }
}

/// What to ask `listOwners` for.
public struct ListOwnersRequest: Hashable, Codable, Sendable {
  public var accountId: String

  /// Creates the value from its members.
  public init(accountId: String) {
    self.accountId = accountId
  }
}

/// What `listOwners` answers.
public struct ListOwnersResponse: Hashable, Codable, Sendable {
  /// Ids of customers.
  public var owners: [String]

  /// Creates the value from its members.
  public init(owners: [String]) {
    self.owners = owners
  }
}
